import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import {
  createColumnHelper,
  flexRender,
  getCoreRowModel,
  type RowSelectionState,
  useReactTable,
} from "@tanstack/react-table";
import { Cover } from "@/features/videos/cover.tsx";
import { stateName } from "@/features/videos/names.ts";
import type { Search, Sort } from "@/features/videos/search.ts";
import type { VideoRow } from "@/shared/api/types.ts";
import { count, short } from "@/shared/format/count.ts";
import { day, moment } from "@/shared/format/moment.ts";
import { Badge } from "@/shared/ui/badge.tsx";
import { VIDEO_TONES } from "@/shared/ui/tones.ts";

const helper = createColumnHelper<VideoRow>();
const COLUMNS = [
  helper.display({
    id: "select",
    header: ({ table }) => (
      <label className="tick">
        <input
          type="checkbox"
          checked={table.getIsAllRowsSelected()}
          onChange={table.getToggleAllRowsSelectedHandler()}
        />
        <span className="tick-name">选择这一页</span>
      </label>
    ),
    cell: ({ row }) => (
      <label className="tick">
        <input
          type="checkbox"
          aria-label={`选择 ${row.original.title}`}
          checked={row.getIsSelected()}
          onChange={row.getToggleSelectedHandler()}
        />
      </label>
    ),
  }),
  helper.display({
    id: "title",
    header: "视频",
    cell: ({ row: { original } }) => (
      <Link
        to="/videos/$id"
        params={{ id: String(original.id) }}
        // The way back: see the video's page.
        search={(list) => list}
        state={{ isFromList: true }}
        className="video-link"
      >
        <Cover video={original} />
        <span className="video-title">{original.title}</span>
      </Link>
    ),
  }),
  helper.accessor("category_name", { id: "category", header: "分类" }),
  helper.accessor("state", {
    id: "state",
    header: "状态",
    cell: ({ row: { original } }) => (
      <Badge tone={VIDEO_TONES[original.state]}>{stateName(original.state)}</Badge>
    ),
  }),
  helper.accessor("pageviews", {
    id: "views",
    header: "播放",
    cell: ({ getValue }) => (
      <>
        <span className="on-desk">{count(getValue())} 次</span>
        <span className="on-phone">{short(getValue())} 次</span>
      </>
    ),
  }),
  helper.accessor("created_at", {
    id: "created",
    header: "发布",
    cell: ({ row: { original } }) => <Moment video={original} />,
  }),
];
/** When it was or will be published; of what is in the bin, when that forgets it. */
function Moment({ video }: { readonly video: VideoRow }) {
  const text = video.purged_at ?? video.publish_at ?? video.created_at;
  return (
    <>
      <span className="on-desk">{moment(text)}</span>
      <span className="on-phone">
        {video.purged_at ? "删除于 " : ""}
        {day(text)}
      </span>
    </>
  );
}

const SORTABLE = new Set<string>(["views", "created"]);

/** A table on a desk; on a phone each row is a card. */
export function VideoTable({
  rows,
  search,
  onSort,
  selected,
  onSelect,
}: {
  readonly rows: VideoRow[];
  readonly search: Search;
  readonly onSort: (changed: Search) => void;
  /** None where nothing may be changed. */
  readonly selected: RowSelectionState | null;
  readonly onSelect: React.Dispatch<React.SetStateAction<RowSelectionState>>;
}) {
  "use no memo"; // The table's model is the same object after a change.
  // oxlint-disable-next-line react/incompatible-library -- hence the line above
  const table = useReactTable({
    data: rows,
    columns: COLUMNS,
    getRowId: (row) => String(row.id),
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    state: { rowSelection: selected ?? {}, columnVisibility: { select: selected !== null } },
    onRowSelectionChange: onSelect,
  });
  const sort = search.sort ?? "created";
  const isBin = search.state === "removed";
  return (
    <div className="table-frame">
      <table className="videos">
        <thead>
          <tr>
            {table.getFlatHeaders().map((header) => (
              <th
                key={header.id}
                scope="col"
                data-column={header.id}
                aria-sort={
                  header.id === sort ? (search.ascending ? "ascending" : "descending") : undefined
                }
              >
                {SORTABLE.has(header.id) ? (
                  <button
                    type="button"
                    className="sort"
                    onClick={() => {
                      const isTurned = header.id === sort && !search.ascending;
                      onSort({
                        sort: header.id as Sort,
                        ascending: isTurned ? true : undefined,
                      });
                    }}
                  >
                    {isBin && header.id === "created"
                      ? "彻底删除"
                      : flexRender(header.column.columnDef.header, header.getContext())}
                    {header.id === sort ? <Arrow isUp={search.ascending === true} /> : null}
                  </button>
                ) : (
                  flexRender(header.column.columnDef.header, header.getContext())
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} data-selected={row.getIsSelected()}>
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id} data-column={cell.column.id}>
                  {flexRender(cell.column.columnDef.cell, cell.getContext())}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Arrow({ isUp }: { readonly isUp: boolean }) {
  const Drawing = isUp ? IconArrowUp : IconArrowDown;
  return <Drawing size={16} stroke={2} aria-hidden="true" />;
}
