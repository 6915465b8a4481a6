import { readFile, stat } from 'node:fs/promises'
import { errorMessage } from '../base/caught-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import { environment } from '../config/load-config.ts'
import { SettingError } from '../config/setting-error.ts'
import { findPreset } from '../config/upstream-presets.ts'
import { readUpstream } from '../config/upstream-setting.ts'
import { importedBody } from '../upstreams/litellm/imported-body.ts'
import type { ImportedUpstream } from '../upstreams/litellm/litellm-config.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'

const maxBytes = 1_048_576

type Result = { name: string; url: string; models: string[]; problem: string | null }

/** The only format so far is LiteLLM's. */
export const upstreamsImport: Command = {
  name: 'upstreams import',
  summary: "Add the upstreams of a LiteLLM 'config.yaml', and report what could not be taken over.",
  positionals: 'litellm FILE',
  options: {
    'dry-run': { type: 'boolean', text: 'Only report what would be added.' },
    ...jsonOption,
  },
  note: 'Keys in environment variables (os.environ/NAME) are read from the environment of this command, and stored encrypted.',
  async run({ config, options, positionals, terminal }) {
    const [format, file] = positionals
    if (format !== 'litellm' || file === undefined || positionals.length > 2)
      throw new UsageError("'helix upstreams import' requires litellm and FILE")
    // Few commands need a parser of YAML.
    const { readLitellmConfig } = await import('../upstreams/litellm/litellm-config.ts')
    const { upstreams, omitted } = readLitellmConfig(await readText(file), {
      environment: environment(),
      currency: config.currency,
    })
    const results: Result[] = []
    for (const upstream of upstreams) {
      const models = upstream.models.map(({ name }) => name)
      const problem =
        options['dry-run'] === true
          ? problemOf(upstream)
          : await withControl(config, (control) => control.addUpstream({ body: bodyOf(upstream) })).then(
              (added) => added.problem,
              (error: unknown) => errorMessage(error),
            )
      results.push({ name: upstream.name, url: urlOf(upstream), models, problem })
    }
    if (options.json === true) terminal.out(`${JSON.stringify({ upstreams: results, omitted })}\n`)
    else {
      for (const { name, url, models, problem } of results)
        terminal.out(`${name} (${url}): ${models.join(', ')}${problem === null ? '' : ` – ${problem}`}\n`)
      if (results.length === 0) terminal.out('None of the models in this file can be imported.\n')
      if (omitted.length > 0) terminal.out('Not imported:\n')
      for (const { path, reason } of omitted) terminal.out(`  ${path}: ${reason}\n`)
    }
    return results.every(({ problem }) => problem === null) ? 0 : 1
  },
}

/** What can be found without adding it. */
const problemOf = (upstream: ImportedUpstream): string | null => {
  try {
    readUpstream(bodyOf(upstream), 'upstream')
    return null
  } catch (error) {
    return error instanceof SettingError ? `${error.message}.` : errorMessage(error)
  }
}

const urlOf = ({ preset, url }: ImportedUpstream): string => url ?? findPreset(preset)?.url ?? ''

const readText = async (file: string): Promise<string> => {
  try {
    if ((await stat(file)).size > maxBytes) throw new Error('it is too long')
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new OperatorError(`Cannot read ${file}: ${errorMessage(error)}`)
  }
}

const bodyOf = (imported: ImportedUpstream) => {
  const { key } = imported
  return importedBody(imported, key === null || 'value' in key ? (key?.value ?? null) : readVariable(key.from))
}

const readVariable = (variable: string): string => {
  const key = environment()[variable]
  if (key === undefined || key === '') throw new OperatorError(`The environment variable ${variable} is not set`)
  return key
}
