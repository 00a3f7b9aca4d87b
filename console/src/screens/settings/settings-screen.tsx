import { ContentPage } from "@/features/content/content-page.tsx";
import { useContent } from "@/features/content/use-content.ts";
import type { SettingGroup, SettingItem } from "@/shared/api/types.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { Loaded } from "@/shared/ui/state.tsx";

/** The settings, to be read: they are made on the server. */
export function SettingsScreen() {
  const groups = useContent<SettingGroup[]>("settings");
  return (
    <ContentPage
      title="设置"
      lead="控制台启动时读到的设置。它们写在服务器的环境变量里，在那里改，然后重启网站和 worker；只关系到控制台的，重启控制台。密钥不显示。"
    >
      <Loaded query={groups}>
        {(data) => (
          <div className="cards">
            {data.map(({ name, settings }) => (
              <section key={name} className="card" aria-label={name}>
                <h2 className="card-title">{name}</h2>
                <ul className="rows" aria-label={`${name}的设置`}>
                  {settings.map((one) => (
                    <li key={one.variable}>
                      <div className="row-text setting">
                        <p className="row-title">{one.about}</p>
                        <p className="row-meta">
                          {one.variable}
                          {one.is_shared ? "，各台机器要一样" : ""}
                          {one.restart === "console" ? "，改后重启控制台" : "，改后重启"}
                        </p>
                        <p className="setting-value">{shown(one)}</p>
                      </div>
                      {one.is_default ? null : <Badge>改过</Badge>}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </ContentPage>
  );
}

function shown({ value }: SettingItem): string {
  return value === "" ? "没有设置" : value;
}
