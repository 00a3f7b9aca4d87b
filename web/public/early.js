// Asks for a screen's first answers while its code is still on the way. The addresses are those that the code asks for
// itself: the browser gives it what has come by then.
{
  const query = new URLSearchParams(location.search);
  const id = query.get("id") ?? "";
  const type = query.get("typeId") ?? "0";
  const order = query.get("orderby") ?? "new";
  const asked = {
    "/playVideo": /^[1-9]\d{0,9}$/.test(id)
      ? [
          `/api/videoplay/${id}?uuid=1`,
          `/api/videomaylike?id=${id}&page=1`,
          ...(query.get("ad_show") === "no" || !("ads" in document.currentScript.dataset)
            ? []
            : ["/api/adinfo/PLAYINFO", "/api/adinfo/PLAYBEFORE"]),
        ]
      : [],
    "/list":
      /^\d{1,9}$/.test(type) && /^(new|hot)$/.test(order)
        ? [`/api/videosort/${type}?orderby=${order}&page=1`, "/api/videosort"]
        : [],
  }[location.pathname];
  for (const href of asked ?? []) {
    const link = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", href });
    link.crossOrigin = "use-credentials";
    document.head.append(link);
  }
}
