import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'
import { createRedactor } from '../base/create-redactor.ts'
import { fullVersion } from '../base/version.ts'
import type { ShownSetting } from '../config/describe-config.ts'
import { listSecrets } from '../config/list-secrets.ts'
import type { Config } from '../config/settings.ts'
import { hideKeys } from '../keys/hide-keys.ts'

export type SupportFile = { name: string; text: string }

/** All of them together stay below this, whatever a part returns. */
const maxFileChars = 1_000_000

/**
 * What is known with the settings alone. Of secrets only whether they are set; everything else passes a filter that removes their
 * values, in case another setting repeats one.
 */
export const describeInstallation = (settings: readonly ShownSetting[]): SupportFile[] => [
  { name: 'README.txt', text: readme },
  { name: 'versions.json', text: json(describeMachine()) },
  { name: 'settings.json', text: json(settings.map(withoutPerson)) },
]

/** What only the running process knows about itself. */
export const describeProcess = (): SupportFile => ({
  name: 'process.json',
  text: json({
    uptimeSeconds: Math.round(process.uptime()),
    memory: process.memoryUsage(),
    cpuMicros: process.cpuUsage(),
    eventLoop: performance.eventLoopUtilization(),
    activeResources: countEach(process.getActiveResourcesInfo()),
  }),
})

/** The last step for every file: no secret of the settings, no sender of mail, nothing that looks like an API key, and no more than fits. */
export const withoutSecrets = (config: Config, files: readonly SupportFile[]): SupportFile[] => {
  const redact = createRedactor([...listSecrets(config), ...addressesOf(config)])
  return files.map(({ name, text }) => {
    const clean = hideKeys(redact(text))
    return { name, text: clean.length > maxFileChars ? `${clean.slice(0, maxFileChars)}\n(cut)\n` : clean }
  })
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The sender of mail is often somebody's own address. */
const withoutPerson = (setting: ShownSetting): ShownSetting =>
  setting.name === 'mailFrom' ? { ...setting, value: null } : setting

/** The sender, and the address in it, which messages of a mail server may repeat. */
const addressesOf = ({ mailFrom }: Config): string[] =>
  mailFrom === null ? [] : [mailFrom, ...(/[^\s<>]+@[^\s<>]+/.exec(mailFrom) ?? [])]

const readme = `Helix support bundle

versions.json    versions of Helix, Node and the operating system
settings.json    settings and where each comes from; of secrets and of mailFrom only whether they are set
diagnosis.json   what the server and every node of its cluster have found out about their dependencies
metrics.txt      metrics in the format of OpenMetrics
problems.jsonl   the last warnings and errors of the log
process.json     memory, CPU time and open handles of the server
cpu.txt          functions and stacks that the main thread was in, by number of samples

It contains no prompts, answers, keys, passwords or email addresses, but names of models, upstreams, hosts and folders.
Look through it before you pass it on.
`

const describeMachine = () => ({
  helix: fullVersion,
  components: process.versions,
  platform: `${platform()} ${arch()} ${release()}`,
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  freeMemoryBytes: freemem(),
  load: loadavg(),
})

const countEach = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((other) => other === name).length]))
