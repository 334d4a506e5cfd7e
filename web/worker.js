// Serves the page offline. The build puts strict mode and `site` in front of
// this: {version, files: [{url, integrity}]}.

const prefix = `sixways:${registration.scope}:`;
const name = prefix + site.version;
const files = new Map(site.files.map((file) => [new URL(file.url, registration.scope).href, file]));
// The page is kept under the folder's address: many hosts redirect index.html
// there, and a navigation must not be answered with a redirected response.
const page = registration.scope;

// What the page has just fetched is taken from the browser's own cache. The integrity says whether it is this version's file:
// in the middle of a deployment it may not be, and then it is asked for again.
async function take(url, file) {
  const ask = async (cache) => {
    const response = await fetch(url, { cache, integrity: file.integrity, credentials: "same-origin" });
    if (!response.ok) throw new Error(`${file.url}: the server answered ${response.status}`);
    return response;
  };
  try {
    return await ask("force-cache");
  } catch (err) {
    console.info(`sixways: ${err.message}; asking again`);
    return ask("reload");
  }
}

async function install() {
  // All or nothing: the cache is made once every file is there.
  const responses = await Promise.all([...files].map(async ([url, file]) => [url, await take(url, file)]));
  try {
    const cache = await caches.open(name);
    await Promise.all(responses.map(([url, response]) => cache.put(url, response)));
  } catch (err) {
    await caches.delete(name);
    throw err;
  }
}

// The origin is shared: other sites, and other copies of this one, keep theirs.
async function tidy() {
  const old = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name);
  await Promise.all(old.map((key) => caches.delete(key)));
}

// The address in the cache that answers a request, or nothing.
function kept(request) {
  const url = new URL(request.url);
  url.hash = "";
  if (request.mode !== "navigate") return files.has(url.href) ? url.href : undefined;
  url.search = "";
  return [page, `${page}index.html`].includes(url.href) ? page : undefined;
}

async function answer(request, url) {
  const cache = await caches.open(name);
  const response = await cache.match(url);
  if (!response) return fetch(request);
  if (url !== page || (await cache.keys()).length >= files.size) return response;
  // A file has been lost, and the host may have gone on to another version,
  // which has it no more: the page that the host has now is sure to fit.
  return fetch(request).catch((err) => {
    console.info(`sixways: ${err.message}; the page as it was kept`);
    return response;
  });
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("message", (event) => {
  if (event.data === "skip-waiting") self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const url = event.request.method === "GET" && kept(event.request);
  if (url) event.respondWith(answer(event.request, url));
});
