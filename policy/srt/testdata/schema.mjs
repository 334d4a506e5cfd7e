// Writes schema.jsonl anew: settings with one value changed, and whether
// sandbox-runtime's own loadConfig takes them. The first line holds the settings
// that are changed; a line without a value takes the key away.
//
//	cd cmd/differential/srt && npm ci && node ../../../policy/srt/testdata/schema.mjs
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const dist = '../../../cmd/differential/srt/node_modules/@anthropic-ai/sandbox-runtime/dist/'
const { loadConfig } = await import(new URL(dist + 'utils/config-loader.js', import.meta.url).href)

const guid = '12345678-1234-1234-1234-123456789abc'
const base = {
  network: {
    allowedDomains: ['a.test', '*.b.test'], deniedDomains: ['*'], deniedDomainReasons: { '*': 'no' }, strictAllowlist: true,
    deniedResolvedAddresses: ['10.0.0.0/8'], allowUnixSockets: ['/x'], allowAllUnixSockets: false, allowLocalBinding: false,
    allowMachLookup: ['com.x.*'], httpProxyPort: 3128, socksProxyPort: 1080, mitmProxy: { socketPath: '/s', domains: ['a.test'] },
    allowPlaintextHeaderSet: true, stripResponseHeaders: ['x'], refuseOpaqueTunnels: true, requireHostMatch: true, ambiguousRequestTarget: 'refuse',
    tlsTerminate: { caCertPath: '/c', caKeyPath: '/k', excludeDomains: ['z.test'], extraCaCertPaths: ['/e'], maxTunnels: 5, handshakeTimeoutMs: 1000 },
    parentProxy: { http: 'http://p:1', https: 'http://p:1', noProxy: 'x' },
  },
  filesystem: {
    disabled: false, denyRead: ['/r', { path: '/q', literal: true }], allowRead: ['/a'], allowWrite: ['/w'], denyWrite: ['/d'], allowGitConfig: true,
  },
  credentials: {
    files: [
      { path: '/f', mode: 'mask', extract: '(x)', onExtractNoMatch: 'warn', decode: 'jwt', maskClaims: ['sub'], maskDuplicates: true, injectHosts: ['a.test'] },
      { path: '/g', mode: 'deny' },
    ],
    envVars: [
      { name: 'K', mode: 'mask' }, { name: 'S', mode: 'mask' }, { name: 'T', mode: 'mask' },
      { name: 'E', mode: 'mask', extract: '(x)', onExtractNoMatch: 'deny', decode: 'jwt', maskClaims: ['sub'], injectHosts: ['c.b.test'] },
    ],
    allowPlaintextInject: false, awsPairs: [{ accessKeyIdVar: 'K', secretAccessKeyVar: 'S', sessionTokenVar: 'T' }],
    sigv4: { streaming: 'deny', presigned: 'passthrough', sigv4a: 'deny' },
  },
  ignoreViolations: { '*': ['/x'] }, enableWeakerNestedSandbox: false, allowNestedUserNamespaces: false, enableWeakerNetworkIsolation: false,
  allowAppleEvents: false, ripgrep: { command: 'rg', args: ['-x'], argv0: 'rg' }, mandatoryDenySearchDepth: 3, allowPty: true,
  seccomp: { applyPath: '/x', argv0: 'y' }, bwrapPath: '/b', socatPath: '/s', javaAgentJarPath: '/j',
  windows: { backend: 'mxc', sandboxUser: 'u', sublayerGuid: guid, wfpSublayerGuid: guid, proxyPortRange: [100, 120], srtWin: { path: 'p' } },
  git: { safeDirectories: ['/x'] },
}

// Every value becomes each of these, and goes.
const wrong = [undefined, null, true, 0, 'x', '', [], {}]

// These places become more.
const more = {
  'network.deniedResolvedAddresses.0': ['nope', '10.0.0.0/33', '10.0.0.0/008', '::ffff:1.0.0.0/95', '::ffff:1.0.0.0/96', 'fe80::1%eth0', '[fc00::]/7'],
  'network.allowMachLookup.0': ['*', 'a*b', 'a**'],
  'network.httpProxyPort': [1, 65535, 65536, 1.5],
  'network.mitmProxy.domains.0': ['*', '*.com', '*.a.test', 'a.test:443', '::1', '[::1]', '::ffff:1.2.3.4', 'localhost'],
  'network.parentProxy.http': ['not a url', 'http://', 'http://p:65536', 'p.test:80', '1.2.3.4:80', 'socks5://p:1', 'http://1.2.3.4.5', 'http://[::1]:80', 'http://[::1'],
  'network.tlsTerminate.excludeDomains.0': ['a.test', '*.b.test', '*.c.b.test', 'b.test'],
  'network.tlsTerminate.excludeDomains': [['a.test', '*.b.test']],
  'network.tlsTerminate.maxTunnels': [65536, 65537],
  'network.tlsTerminate.handshakeTimeoutMs': [99, 100, 600001],
  'network.allowedDomains': [['*.test'], ['A.TEST:443', '*.c.b.test', 'c.b.test:1'], ['a.test']],
  'network.filterRequest': ['x', {}],
  'filesystem.denyRead.0': ['/*/', '~/[a]/', 'x/*/', '/x/', { path: '/*/', literal: true }, { path: '/x' }, { path: '', literal: true }, { path: '/x', literal: true, x: 1 }],
  'credentials.files.0.path': ['/x/', '/*/'],
  'credentials.files.1.path': ['/x/', '/*/'],
  'credentials.files.0.extract': ['(?:x)', '(?<n>x)', '(?<=x)y', '(', ')(x)', '[(x)', '[(](x)', '\\(x\\)', '(x)\\', '+(x)'],
  'credentials.envVars.0.name': ['S', '1A', 'A-B', '_a1'],
  'credentials.envVars.3.injectHosts': [['b.test'], ['*.b.test'], ['*.x.b.test'], ['*.test'], ['z.test']],
  'credentials.awsPairs.0.sessionTokenVar': ['K', 'E', 'NONE'],
  'credentials.injectHosts': [['a.test']],
  'windows.sandboxUser': ['a'.repeat(20), 'a'.repeat(21), '😀'.repeat(11)],
  'windows.sublayerGuid': [guid.toUpperCase(), guid.slice(1), guid.replace('a', 'g')],
  'windows.proxyPortRange': [[100, 164], [100, 165], [101, 100], [0, 1], [65535, 65536], [1, 2, 3], [1, '2']],
  'mandatoryDenySearchDepth': [10, 11, 2.5],
}

function* places(value, path = []) {
  if (path.length) yield path
  if (value === null || typeof value !== 'object') return
  for (const key of Object.keys(value)) yield* places(value[key], [...path, Array.isArray(value) ? Number(key) : key])
}

function changed(path, value) {
  const settings = structuredClone(base)
  const holder = path.slice(0, -1).reduce((at, key) => at[key], settings)
  const key = path.at(-1)
  if (value !== undefined) holder[key] = value
  else if (Array.isArray(holder)) holder.splice(key, 1)
  else delete holder[key]
  return settings
}

const file = join(mkdtempSync(join(tmpdir(), 'schema-')), 'settings.json')
function taken(settings) {
  writeFileSync(file, JSON.stringify(settings))
  return loadConfig(file).kind === 'ok'
}

if (!taken(base)) throw new Error('the settings to change are refused')
const lines = [{ base }]
const add = (path, value) => lines.push({ path, value, taken: taken(changed(path, value)) })
for (const path of places(base)) for (const value of wrong) add(path, value)
for (const [place, values] of Object.entries(more)) {
  const path = place.split('.').map(key => /^\d+$/.test(key) ? Number(key) : key)
  for (const value of values) add(path, value)
}
writeFileSync(new URL('schema.jsonl', import.meta.url), lines.map(line => JSON.stringify(line) + '\n').join(''))
