/** @type {import("@docusaurus/types").Config} */
export default {
  title: "Docs",
  url: "https://docs.example",
  baseUrl: "/",
  onBrokenLinks: "throw",
  // Defines <sixways-sim> on every page.
  scripts: [{ src: "https://sim.example/sixways/embed.js", defer: true }],
  themes: ["@docusaurus/theme-classic"],
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/" }]],
};
