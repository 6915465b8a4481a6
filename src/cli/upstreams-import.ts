import { readFile, stat } from 'node:fs/promises'
import { errorMessage } from '../base/caught-error.ts'
import { OperatorError } from '../base/operator-error.ts'
import { environment } from '../config/load-config.ts'
import { SettingError } from '../config/setting-error.ts'
import { findPreset } from '../config/upstream-presets.ts'
import { readUpstream } from '../config/upstream-setting.ts'
import { importedBody } from '../upstreams/litellm/imported-body.ts'
import type { ImportedUpstream } from '../upstreams/litellm/litellm-config.ts'
import type { Environment } from '../upstreams/litellm/litellm-params.ts'
import type { NamedVariable } from '../upstreams/litellm/litellm-variables.ts'
import { type Command, jsonOption, type Terminal, UsageError } from './command.ts'
import { confirm } from './confirm.ts'
import { withControl } from './control-access.ts'

const maxBytes = 1_048_576

type Result = { name: string; url: string; models: string[]; problem: string | null }

/** The only format so far is LiteLLM's. */
export const upstreamsImport: Command = {
  name: 'upstreams import',
  summary: "Add the upstreams of a LiteLLM 'config.yaml', and report what could not be taken over.",
  positionals: 'litellm FILE',
  options: {
    'dry-run': { type: 'boolean', text: 'Only report what would be added. Reads no environment variables.' },
    yes: { type: 'boolean', text: 'Read the environment variables that the file names without asking.' },
    ...jsonOption,
  },
  note: 'Environment variables that the file names (os.environ/NAME) are listed with the addresses that they would be sent to, and read after a yes. Keys are stored encrypted. Variables of Helix (HELIX_…) are never read.',
  async run({ config, options, positionals, terminal }) {
    const [format, file] = positionals
    if (format !== 'litellm' || file === undefined || positionals.length > 2)
      throw new UsageError("'helix upstreams import' requires litellm and FILE")
    // Few commands need a parser of YAML.
    const { readLitellmConfig } = await import('../upstreams/litellm/litellm-config.ts')
    const { listLitellmVariables } = await import('../upstreams/litellm/litellm-variables.ts')
    const isTrial = options['dry-run'] === true
    const text = await readText(file)
    const variables = listLitellmVariables(text)
    if (!isTrial && options.yes !== true && !(await mayRead(variables, terminal))) return 1
    const values = isTrial ? null : readVariables(variables)
    const { upstreams, omitted } = readLitellmConfig(text, {
      ...{ environment: values, unread: 'variable_in_dry_run', currency: config.currency },
    })
    const results: Result[] = []
    for (const upstream of upstreams) {
      const models = upstream.models.map(({ name }) => name)
      const problem =
        values === null
          ? problemOf(upstream)
          : await withControl(config, (control) => control.addUpstream({ body: bodyOf(upstream, values) })).then(
              (added) => added.problem,
              (error: unknown) => errorMessage(error),
            )
      results.push({ name: upstream.name, url: urlOf(upstream), models, problem })
    }
    if (options.json === true) terminal.out(`${JSON.stringify({ upstreams: results, variables, omitted })}\n`)
    else {
      for (const { name, url, models, problem } of results)
        terminal.out(`${name} (${url}): ${models.join(', ')}${problem === null ? '' : ` – ${problem}`}\n`)
      if (results.length === 0) terminal.out('None of the models in this file can be imported.\n')
      if (isTrial && variables.length > 0) terminal.out(`${listOf(variables)}\n`)
      if (omitted.length > 0) terminal.out('Not imported:\n')
      for (const { path, reason } of omitted) terminal.out(`  ${path}: ${reason}\n`)
    }
    return results.every(({ problem }) => problem === null) ? 0 : 1
  },
}

/** What can be found without adding it. */
const problemOf = (upstream: ImportedUpstream): string | null => {
  try {
    const { key } = upstream
    readUpstream(importedBody(upstream, key === null || 'value' in key ? (key?.value ?? null) : 'not-read'), 'upstream')
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

const mayRead = async (variables: readonly NamedVariable[], { err }: Terminal): Promise<boolean> => {
  if (variables.length === 0) return true
  err(`${listOf(variables)}\n`)
  if (await confirm('Read them? [y/N] ', "'helix upstreams import' asks before it reads environment variables"))
    return true
  err('Nothing was read or imported.\n')
  return false
}

const listOf = (variables: readonly NamedVariable[]): string =>
  [
    'The file names these environment variables, whose values would be sent to:',
    ...variables.map(({ variable, sentTo }) => `  ${visible(variable)}: ${sentTo.map(visible).join(', ')}`),
  ].join('\n')

/** A file must not change what the terminal shows of it. */
const visible = (text: string): string =>
  text
    .slice(0, 300)
    .replace(/\p{C}/gu, '?')
    .replace(/\/\/[^/]*@/g, '//…@')

/** No others are read, whatever the file says. */
const readVariables = (variables: readonly NamedVariable[]): Environment => {
  const all = environment()
  return Object.fromEntries(variables.map(({ variable }) => [variable, all[variable]]))
}

const bodyOf = (imported: ImportedUpstream, values: Environment) => {
  const { key } = imported
  return importedBody(imported, key === null || 'value' in key ? (key?.value ?? null) : readKey(key.from, values))
}

const readKey = (variable: string, values: Environment): string => {
  const key = values[variable] ?? ''
  if (key === '') throw new OperatorError(`The environment variable ${variable} is not set`)
  return key
}
