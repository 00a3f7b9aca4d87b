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
};

/** An action in Chinese; one that this page does not know by its own name. */
export function actionName(action: string): string {
  return NAMES[action] ?? action;
}

const VALUE_NAMES: Record<string, string> = {
  role: "角色",
  state: "状态",
  note: "备注",
};

/** What a value that changed is called on the page; one that it does not know by its own name. */
export function valueName(name: string): string {
  return VALUE_NAMES[name] ?? name;
}
