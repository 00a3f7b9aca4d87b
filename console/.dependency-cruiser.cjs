/** Layers: shared → features → screens → app; no feature knows another, nor does a screen. */
module.exports = {
  forbidden: [
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "shared-stands-alone",
      severity: "error",
      from: { path: "^src/shared/" },
      to: { path: "^src/(features|screens|app)/" },
    },
    {
      name: "features-know-no-screen",
      severity: "error",
      from: { path: "^src/features/" },
      to: { path: "^src/(screens|app)/" },
    },
    {
      name: "features-know-no-other-feature",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      // But for who is logged in: what may be changed depends on it everywhere.
      to: { path: "^src/features/", pathNot: "^src/features/($1|session)/" },
    },
    {
      name: "screens-know-no-other-screen",
      severity: "error",
      from: { path: "^src/screens/([^/]+)/" },
      to: { path: "^src/screens/", pathNot: "^src/screens/$1/" },
    },
    {
      name: "screens-know-no-app",
      severity: "error",
      from: { path: "^src/screens/" },
      to: { path: "^src/app/" },
    },
    {
      name: "of-the-site-only-its-design",
      severity: "error",
      from: { path: "^src/" },
      to: {
        path: "^\\.\\./web/",
        pathNot: "^\\.\\./web/(src/shared/ui/[a-z-]+\\.css|public/favicon\\.svg)$",
      },
    },
    {
      name: "no-test-in-the-product",
      severity: "error",
      from: { pathNot: "\\.test\\.tsx?$" },
      to: { path: "\\.test\\.tsx?$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "default"],
    },
  },
};
