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
  "upload.create": "开始上传",
  "upload.finish": "传完文件",
  "upload.end": "取消上传",
  "upload.describe": "填写上传的视频",
  "video.edit": "修改视频",
  "video.edit-many": "批量修改视频",
  "video.remove": "把视频移入回收站",
  "video.restore": "恢复视频",
  "video.takedown": "永久下架视频",
  "video.purge": "彻底删除视频",
  "video.mend": "修补视频",
  "video.subtitles": "设置视频的字幕",
  "video.original": "删除视频的原文件",
  "report.work": "开始处理举报",
  "report.dismiss": "举报没有违规",
  "report.remove": "把举报的视频移入回收站",
  "feedback.done": "处理反馈",
  "hot.block": "屏蔽热搜词",
  "hot.unblock": "取消屏蔽热搜词",
  "vendor.sign": "签发试用的登录凭证",
  "vendor.rotate-key": "更换合作方的密钥",
  import: "导入视频",
};

// Commands are called by what they act on and what they do: `liuying category add`.
const NOUNS: Record<string, string> = {
  ad: "广告",
  artist: "艺人",
  banner: "横幅标签",
  category: "分类",
  hot: "热搜词",
  jobs: "导入任务",
  link: "链接",
  notice: "公告",
  site: "网站资料",
  tab: "底部入口",
  tag: "标签",
  topic: "专题",
  vendor: "合作方",
  video: "视频",
};
const VERBS: Record<string, string> = {
  add: "添加",
  cancel: "取消",
  clear: "清理",
  edit: "修改",
  end: "结束",
  hide: "隐藏",
  merge: "合并",
  order: "排列",
  remove: "删除",
  rename: "重命名",
  reset: "还原",
  retry: "重试",
  set: "设置",
  unhide: "取消隐藏",
};

/** An action in Chinese; one that this page does not know by its own name. */
export function actionName(action: string): string {
  const known = NAMES[action];
  if (known !== undefined) return known;
  const [noun = "", verb = ""] = action.split(".");
  const [done, to] = [VERBS[verb], NOUNS[noun]];
  return done !== undefined && to !== undefined ? done + to : action;
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
  bytes: "字节",
  received: "已收到字节",
  add_labels: "加上标签",
  remove_labels: "去掉标签",
  videos: "视频",
  filter: "筛选",
  slot: "位置",
  tag: "标签",
  text: "说明",
  url: "链接",
  weight: "权重",
  starts_at: "开始",
  ends_at: "结束",
  image: "图片",
  content: "内容",
  name: "名称",
  words: "热词",
  icon: "图标",
  intro: "简介",
  kind: "种类",
  origin: "来源",
  into: "并入",
  order: "新的次序",
  cover: "封面",
  subtitle: "字幕",
};

/** What a value that changed is called on the page; one that it does not know by its own name. */
export function valueName(name: string): string {
  return VALUE_NAMES[name] ?? name;
}
