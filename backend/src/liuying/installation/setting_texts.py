"""What each setting does, for operators who read it in a browser; `docs/operating.md` says more."""

from __future__ import annotations

from collections.abc import Mapping

from liuying.installation.settings import SECRETS

# Group → field of `Settings` → what it does.
GROUPS: Mapping[str, Mapping[str, str]] = {
    "网站": {
        "site_url": "网站的来源：分享卡片、站点地图和“打开完整网站”都用它",
        "page_size": "列表每页的条数",
        "show_ads": "是否显示广告、轮播图和标签条",
        "preroll_seconds": "播放之前的广告倒计时，秒",
        "plain_covers": "分享卡片上是否显示真实的封面；未解锁的视频从不显示",
        "media_base": "视频和图片由哪个 CDN 提供；空为本站",
        "auth_required": "是否需要合作方的会话才能看",
        "third_party": "是否为嵌入合作方网页的模式",
        "login_video_switch": "游客打开视频时是否先进入合作方的登录",
        "frame_origins": "除合作方外，可以内嵌本站的来源",
        "cors_origins": "脚本可以调用本站的来源",
        "analytics": "由谁统计页面访问；只报路径和访客编号",
        "analytics_url": "统计发往哪里",
        "analytics_id": "统计工具里的站点编号",
    },
    "网络": {
        "host": "网站监听的地址",
        "port": "网站监听的端口",
        "trusted_proxies": "可信代理的网段，只相信它们的转发头",
        "client_header": "转发头的名字",
        "connections_per_network": "一个网络最多同时打开几个连接",
        "hsts_seconds": "浏览器在这么多秒内只走 HTTPS；0 为不要求",
        "accel_prefix": "nginx 里受保护媒体的内部位置",
        "drain_seconds": "停止之前继续服务多少秒",
        "metrics_port": "供 Prometheus 读取的端口；0 为不打开",
        "metrics_host": "这个端口监听的地址",
        "webhook_url": "有视频对很多人播放失败时通知哪里",
        "webhook_secret": "给通知签名的密钥",
        "webhook_legacy_signature": "是否同时送出 0.1 版的签名",
    },
    "存放": {
        "data_dir": "数据文件夹：数据库、密钥、视频和图片",
        "database_url": "数据库的地址；空为数据文件夹里的 SQLite",
        "store": "视频、图片和原文件放在哪里；空为数据文件夹",
        "s3_endpoint": "S3 服务的来源；空为亚马逊",
        "s3_region": "S3 的区域",
        "s3_access_key": "访问 S3 的密钥编号",
        "s3_secret_key": "访问 S3 的密钥",
        "secrets": "密钥文件的内容，几台机器共用；空为数据文件夹里的文件",
        "keep_originals": "导入之后是否保留原文件",
        "auto_migrate": "启动时是否迁移数据库",
        "production": "密钥文件不是私有时是否拒绝启动",
    },
    "导入与控制台": {
        "workers": "网站同时处理导入队列里的几个文件；0 为不处理",
        "console_port": "控制台的端口；0 为不打开",
        "console_host": "控制台监听的地址",
        "console_origin": "打开控制台的地址；空为 localhost",
        "upload_gb": "控制台接受的最大文件，GB（10 亿字节）",
        "console_dir": "控制台网页所在的文件夹",
        "web_dir": "网站网页所在的文件夹",
        "backup_dir": "控制台把备份放在哪个文件夹；空为数据文件夹里的 backups",
    },
}
# Field → value → what it is called, where a setting is one of a few words.
CHOICES: Mapping[str, Mapping[str, str]] = {
    "analytics": {
        "none": "不统计",
        "beacon": "自己的统计程序",
        "matomo": "Matomo",
        "google": "谷歌分析（GA4）",
    },
}
# Their values are never shown. An address of a webhook often holds a token; that of the database is
# shown without its password.
SECRET = SECRETS - {"database_url"} | {"webhook_url"}
