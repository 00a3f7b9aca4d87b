/** What the stable names of actions are called on the page. */
const NAMES: Record<string, string> = {
  "link.create": "生成登录地址",
  "session.open": "登录",
  "session.end": "退出",
  "session.revoke": "结束登录",
  "passkey.add": "登记通行密钥",
  "passkey.remove": "移除通行密钥",
  "feedback.state": "处理反馈",
  "report.decide": "处理举报",
  "job.retry": "重试导入",
  "job.cancel": "取消导入",
  "video.edit": "修改视频",
  "video.edit-many": "批量修改视频",
  "video.remove": "删除视频",
  "video.restore": "恢复视频",
  "video.takedown": "下架视频",
};

/** An action in Chinese; one that this page does not know by its own name. */
export function actionName(action: string): string {
  return NAMES[action] ?? action;
}

const VALUE_NAMES: Record<string, string> = {
  role: "角色",
  state: "状态",
  note: "备注",
  title: "标题",
  category: "分类",
  labels: "标签",
  artists: "艺人",
  description: "简介",
  created_at: "发布的时间",
  is_hidden: "隐藏",
  reason: "原因",
  add_labels: "加上标签",
  remove_labels: "去掉标签",
  videos: "视频",
  filter: "筛选",
};

/** What a value that changed is called on the page; one that it does not know by its own name. */
export function valueName(name: string): string {
  return VALUE_NAMES[name] ?? name;
}
