import { systemClock } from '../base/clock.ts'
import { requireModelName } from '../models/edit-model-list.ts'
import { readModelRows, sizeText } from '../models/model-rows.ts'
import { readFreeBytes } from '../models/pull/disk-space.ts'
import { readModelSource } from '../models/pull/model-source.ts'
import { takenNames } from '../models/taken-names.ts'
import { applyModels } from './apply-models.ts'
import { type Command, jsonOption, type OptionValue, readListOption, UsageError } from './command.ts'
import { createDownloadDisplay } from './download-display.ts'
import { modelOptions, readModelOptions } from './model-options.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export const modelsPull: Command = {
  name: 'models pull',
  summary: 'Download a model into the data directory and add it to the list of models.',
  positionals: 'SOURCE',
  options: {
    ...modelOptions,
    sha256: {
      type: 'string',
      placeholder: 'DIGEST',
      text: 'Expected SHA-256. For a split model, one for each part, separated by commas.',
    },
    ...jsonOption,
  },
  note: 'SOURCE is the http(s) URL of a GGUF file, or hf:OWNER/REPOSITORY/FILE for a file on the model hub. Ctrl-C stops the download; the same command continues it.',
  async run({ config, options, positionals, terminal }) {
    const [given] = positionals
    if (given === undefined || positionals.length > 1) throw new UsageError("'helix models pull' requires one SOURCE")
    const { name, aliases, contextTokens } = readModelOptions(options)
    const source = readModelSource(given, config.modelHubUrl)
    const sha256 = readDigests(options.sha256, source.files.length)
    const { rows } = await readModelRows(config)
    const { pullModel } = await import('../models/pull/pull-model.ts')
    const stop = new AbortController()
    const onStop = (): void => stop.abort()
    for (const signal of stopSignals) process.on(signal, onStop)
    const display = createDownloadDisplay({ terminal, isTerminal: process.stderr.isTTY === true, clock: systemClock })
    try {
      const { model, isNew } = await pullModel({
        dataDir: config.dataDir,
        source,
        model: { name: requireModelName(name ?? source.name), aliases, contextTokens },
        sha256,
        token: given.startsWith('hf:') ? config.modelHubToken : null,
        freeBytes: readFreeBytes,
        clock: systemClock,
        signal: stop.signal,
        onProgress: display.show,
        taken: takenNames(rows),
      })
      display.end()
      const row = (await readModelRows(config)).rows.find((each) => each.name === model.name)
      if (options.json === true) terminal.out(`${JSON.stringify(row)}\n`)
      else if (isNew) terminal.out(`Pulled ${model.name} (${row?.kind}, ${sizeText(row?.size_bytes ?? 0)}).\n`)
      else terminal.out(`${model.name} has already been pulled from this source.\n`)
      await applyModels(config, terminal)
      return 0
    } catch (error) {
      display.end()
      if (!stop.signal.aborted) throw error
      terminal.err('Stopped. To continue the download, run the same command again.\n')
      return 130
    } finally {
      for (const signal of stopSignals) process.off(signal, onStop)
    }
  },
}

const readDigests = (value: OptionValue, files: number): string[] | null => {
  const digests = readListOption(value)?.map((digest) => digest.toLowerCase())
  if (digests === undefined) return null
  if (digests.length !== files) throw new UsageError(`--sha256 requires ${files} digest(s), one for each file`)
  for (const digest of digests)
    if (!/^[0-9a-f]{64}$/.test(digest)) throw new UsageError(`--sha256 requires 64 hexadecimal digits, not '${digest}'`)
  return digests
}
