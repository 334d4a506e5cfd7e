// Answers, line by line, what sandbox-runtime's own functions say of hosts under
// a pair of lists. A line in is {"allowed":[…],"denied":[…],"hosts":[[host, port], …]};
// a line out is {"valid":bool,"verdicts":["allowed", …]}. The order of the checks
// is that of filterNetworkRequest, which the package does not export. The first
// line out comes unasked: the keys of the settings, {"settings":[…],"network":[…]}.
import { createInterface } from 'node:readline'

const dist = new URL('node_modules/@anthropic-ai/sandbox-runtime/dist/sandbox/', import.meta.url)
const load = name => import(new URL(name, dist).href)
const { matchesDomainPatternWithPort } = await load('domain-pattern.js')
const { isValidHost, canonicalizeHost } = await load('parent-proxy.js')
const { SandboxRuntimeConfigSchema, NetworkConfigSchema } = await load('sandbox-config.js')

function verdict({ allowed, denied }, [host, port]) {
  if (!isValidHost(host)) return 'malformed'
  const name = canonicalizeHost(host) ?? host
  const matches = pattern => matchesDomainPatternWithPort(name, port, pattern)
  if (denied.some(matches)) return 'blocked'
  return allowed.some(matches) ? 'allowed' : 'blocked'
}

function valid({ allowed, denied }) {
  return SandboxRuntimeConfigSchema.safeParse({
    network: { allowedDomains: allowed, deniedDomains: denied },
    filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
  }).success
}

console.log(JSON.stringify({
  settings: Object.keys(SandboxRuntimeConfigSchema.innerType().shape),
  network: Object.keys(NetworkConfigSchema.shape),
}))

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line)
  console.log(JSON.stringify({
    valid: valid(question),
    verdicts: question.hosts.map(host => verdict(question, host)),
  }))
}
