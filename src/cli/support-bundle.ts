import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode } from '../base/caught-error.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { describeConfig } from '../config/describe-config.ts'
import type { StartedConfig } from '../config/saved-settings.ts'
import type { SupportFile } from '../health/support-files.ts'
import { type Command, readWhole, UsageError } from './command.ts'
import { findServer, throughServer } from './control-access.ts'
import { writeTarGz } from './write-tar.ts'

const defaultSampleSeconds = 2
const maxSampleSeconds = 10

export const supportBundle: Command = {
  name: 'support-bundle',
  summary: 'Write an archive that helps others to find a fault: settings without secrets, checks, metrics, errors.',
  positionals: '[FILE]',
  options: {
    'sample-seconds': {
      type: 'string',
      placeholder: 'SECONDS',
      text: `How long the server's CPU is sampled, 0 to ${maxSampleSeconds}. Default: ${defaultSampleSeconds}.`,
    },
  },
  note: 'The file must not exist yet. It contains no prompts, answers, keys or passwords. Without a running server it contains only versions and settings.',
  async run({ config, origins, options, positionals, terminal }) {
    if (positionals.length > 1) throw new UsageError("'helix support-bundle' writes one FILE")
    const sampleMs = readSeconds(options['sample-seconds']) * 1000
    const now = systemClock.now()
    const file = resolve(positionals[0] ?? `helix-support-${new Date(now).toISOString().replace(/[:.]/g, '-')}.tar.gz`)
    const { files, source } = await collect({ config, origins }, sampleMs)
    const archive = writeTarGz(files, now)
    // Only for its owner, like the log.
    await writeFile(file, archive, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw new OperatorError(`${file} exists already: choose another name`)
      throw new OperatorError(`Cannot write ${file}: ${error instanceof Error ? error.message : error}`)
    })
    terminal.out(`Wrote ${file} (${files.length} files, ${archive.length} bytes) ${source}.\n`)
    return 0
  },
}

const readSeconds = (value: unknown): number => {
  if (value === undefined) return defaultSampleSeconds
  const seconds = readWhole(String(value))
  if (seconds === undefined || seconds > maxSampleSeconds)
    throw new UsageError(`--sample-seconds must be a whole number from 0 to ${maxSampleSeconds}`)
  return seconds
}

const collect = async (
  { config, origins }: StartedConfig,
  sampleMs: number,
): Promise<{ files: readonly SupportFile[]; source: string }> => {
  const server = await findServer(config)
  if (server !== null) {
    const { files } = await throughServer(server).collectSupport({ body: { sample_ms: sampleMs } })
    return { files, source: 'from the running server' }
  }
  const { describeInstallation, withoutSecrets } = await import('../health/support-files.ts')
  const files = withoutSecrets(config, describeInstallation(describeConfig(config, origins)))
  return { files, source: 'without a running server, so with versions and settings only' }
}
