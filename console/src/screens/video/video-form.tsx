import { zodResolver } from "@hookform/resolvers/zod";
import { useBlocker } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useCategories } from "@/features/videos/categories.ts";
import { joined, namesOf } from "@/features/videos/names.ts";
import { useChange } from "@/screens/video/use-change.ts";
import type { VideoChange, VideoDetail } from "@/shared/api/types.ts";
import { fromLocalInput, toLocalInput } from "@/shared/format/clock.ts";
import { ConfirmDialog } from "@/shared/ui/dialog.tsx";

const FORM = z.object({
  title: z
    .string()
    .check(z.trim(), z.minLength(1, "标题不能是空白"), z.maxLength(200, "最多 200 个字")),
  category: z.string(),
  labels: z.string(),
  artists: z.string(),
  description: z.string().check(z.maxLength(5000, "最多 5000 个字")),
  created: z.string().check(z.minLength(1, "请选择发布的时间")),
});

type Form = z.infer<typeof FORM>;

/** What describes a video, to be changed; only what differs is sent. */
export function VideoForm({ detail }: { readonly detail: VideoDetail }) {
  const categories = useCategories();
  const change = useChange(detail.video.id);
  const form = useForm<Form>({ resolver: zodResolver(FORM), values: valuesOf(detail) });
  const { errors, isDirty } = form.formState;
  const save = (given: Form) => {
    change.mutate(changeOf(given, valuesOf(detail)));
  };
  return (
    <form
      className="video-form"
      onSubmit={(event) => {
        void form.handleSubmit(save)(event);
      }}
    >
      <div className="field">
        <label htmlFor="title">标题</label>
        <input
          id="title"
          autoComplete="off"
          aria-invalid={errors.title !== undefined}
          {...form.register("title")}
        />
        <p className="field-fault" role="alert">
          {errors.title?.message}
        </p>
      </div>
      <div className="field">
        <label htmlFor="category">分类</label>
        {/* Anew once the categories are known: what is chosen goes with its option. */}
        <select key={categories.length} id="category" {...form.register("category")}>
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {categories.some(({ id }) => id === detail.video.category) ? null : (
            <option value={detail.video.category}>{detail.video.category_name}</option>
          )}
        </select>
      </div>
      <div className="field">
        <label htmlFor="labels">标签，用顿号分开</label>
        <input id="labels" autoComplete="off" {...form.register("labels")} />
      </div>
      <div className="field">
        <label htmlFor="artists">艺人，用顿号分开</label>
        <input id="artists" autoComplete="off" {...form.register("artists")} />
      </div>
      <div className="field">
        <label htmlFor="created">发布的时间；在将来的，到时自动出现</label>
        <input id="created" type="datetime-local" {...form.register("created")} />
        <p className="field-fault" role="alert">
          {errors.created?.message}
        </p>
      </div>
      <div className="field">
        <label htmlFor="description">简介</label>
        <textarea id="description" rows={5} {...form.register("description")} />
        <p className="field-fault" role="alert">
          {errors.description?.message}
        </p>
      </div>
      <div className="form-end save-bar">
        {change.error ? (
          <p className="field-fault" role="alert">
            {change.error.message}
          </p>
        ) : (
          <p className="row-meta" role="status">
            {change.isSuccess && !isDirty ? "已保存" : ""}
          </p>
        )}
        <button
          type="submit"
          className="button button-primary"
          disabled={!isDirty || change.isPending}
        >
          保存
        </button>
      </div>
      <LeaveQuestion isDirty={isDirty && !change.isPending} />
    </form>
  );
}

/** Asks before what was typed is lost. */
function LeaveQuestion({ isDirty }: { readonly isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      title="离开这一页？"
      text="改过的内容还没有保存，离开后就没有了。"
      action="不保存，离开"
      isBusy={false}
      fault={undefined}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}

function valuesOf({ video, labels, artists, description }: VideoDetail): Form {
  return {
    title: video.title,
    category: String(video.category),
    labels: joined(labels),
    artists: joined(artists),
    description,
    created: toLocalInput(video.publish_at ?? video.created_at),
  };
}

function changeOf(given: Form, known: Form): VideoChange {
  return {
    ...(given.title === known.title ? {} : { title: given.title }),
    ...(given.category === known.category ? {} : { category: Number(given.category) }),
    ...(given.labels === known.labels ? {} : { labels: namesOf(given.labels) }),
    ...(given.artists === known.artists ? {} : { artists: namesOf(given.artists) }),
    ...(given.description === known.description ? {} : { description: given.description }),
    ...(given.created === known.created ? {} : { created_at: fromLocalInput(given.created) }),
  };
}
