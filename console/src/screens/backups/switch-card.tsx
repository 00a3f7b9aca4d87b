import { Commands } from "@/features/maintenance/commands.tsx";
import type { Backups } from "@/shared/api/types.ts";

/** How the site is put on a backup: not from here, since the server must be stopped for it. */
export function SwitchCard({ backups }: { readonly backups: Backups }) {
  return (
    <section className="card" aria-labelledby="switch">
      <h2 id="switch" className="card-title">
        换成一个备份
      </h2>
      <p className="page-lead">
        恢复时网站和控制台都要停下，所以在服务器上执行。全部核对通过之后才会替换，原有的数据移到
        .before-restore- 开头的文件夹里，不会丢。
      </p>
      <Commands label="换成备份的命令" lines={backups.switching} />
    </section>
  );
}
