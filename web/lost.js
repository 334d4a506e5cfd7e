// A host shows this page at any depth, and nothing in it knows where the site
// begins. "./" is right for a wrong name beside the simulator; for a deeper
// address the folders above are asked, the nearest first, for the manifest.
"use strict";
(async () => {
  const link = document.getElementById("home");
  const lead = (folder) => { link.href = folder.href + location.hash; };
  let folder = new URL("./", location.href);
  lead(folder);
  for (let depth = 0; depth < 8; depth++) {
    try {
      const response = await fetch(new URL("manifest.webmanifest", folder));
      if (response.ok && (await response.json()).short_name === "sixways") {
        lead(folder);
        return;
      }
    } catch (err) {
      // Not a manifest of ours: the search goes on above.
      console.info(`sixways: ${folder.href}: ${err.message}`);
    }
    const above = new URL("../", folder);
    if (above.href === folder.href) return;
    folder = above;
  }
})();
