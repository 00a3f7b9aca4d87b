/**
 * What the page's script holds after a collection, in bytes. The session's Performance domain must
 * be enabled.
 */
export async function heap(session) {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value;
}
