/** The sentences that home's code needs; `texts.ts` has all, and comes with the screens that show them. */
export const CORE_TEXT = {
  networkError: "网络异常，请稍后重试",
  listFailed: "请求失败，点击我重新加载",
  historyWriteFailed: "儲存 localStorage 時發生錯誤",
} as const;
