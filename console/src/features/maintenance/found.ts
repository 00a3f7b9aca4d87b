/** What the doctor found, most severe first, without what there is none of: 1 个错误, 6 个需要处理. */
export function foundCounts(errors: number, warnings: number): string[] {
  return [
    ...(errors > 0 ? [`${errors} 个错误`] : []),
    ...(warnings > 0 ? [`${warnings} 个需要处理`] : []),
  ];
}
