import { resolve } from 'node:path'
import type { Config } from '../config/settings.ts'
import type { DiagnosisJson } from '../control/control-diagnosis.ts'
import { type Command, jsonOption } from './command.ts'
import { findServer, RefusedByServer, throughServer } from './control-access.ts'
import { type Endpoint, NoAnswer, readText, send } from './http-client.ts'
import { examineLocally, type LocalCheck } from './local-checks.ts'
import { renderTable } from './table.ts'

/** `node`: null for what was found without a server. */
type Check = LocalCheck & { node: string | null; ok: boolean }
type Examination = { source: 'server' | 'settings'; title: string; checks: Check[] }

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the running server and every node of its cluster, or without one the installation and settings.',
  options: {
    ...jsonOption,
    local: {
      type: 'boolean',
      text: 'Check files, memory and settings of this command, even if a server is running.',
    },
  },
  note: 'The exit code is 1 if a check has failed; warnings do not count.',
  async run({ config, options, terminal }) {
    const { source, title, checks } = await examine(config, options.local === true)
    const ok = checks.every((check) => check.ok)
    if (options.json === true) terminal.out(`${JSON.stringify({ ok, source, checks })}\n`)
    else terminal.out(`${title}\n\n${render(checks)}`)
    return ok ? 0 : 1
  },
}

const examine = async (config: Config, isLocal: boolean): Promise<Examination> => {
  const directory = resolve(config.dataDir)
  if (isLocal) return locally(config, 'These are the findings of this command, with its own settings:')
  const server = await findServer(config)
  if (server === null)
    return locally(config, `No server is running on ${directory}. This command has checked its own settings:`)
  try {
    const { data } = await throughServer(server).diagnose()
    const reached = await reach(data)
    const title = `The server that is running on ${directory} reports:`
    return { source: 'server', title, checks: [...data.flatMap(checksOf), ...reached] }
  } catch (error) {
    if (!(error instanceof RefusedByServer) || error.status !== 404) throw error
    return locally(
      config,
      `The server on ${directory} is of an earlier version. This command has checked its own settings:`,
    )
  }
}

const locally = async (config: Config, title: string): Promise<Examination> => {
  const found = await examineLocally(config)
  return { source: 'settings', title, checks: found.map((check) => rate(check, null)) }
}

const rate = ({ check, state, detail }: LocalCheck, node: string | null): Check => ({
  ...{ node, check, state, ok: state !== 'failed', detail },
})

/** Its lease ends after 30 seconds, and heartbeats come every five. */
const silentMs = 15_000

const checksOf = ({ node, is_own, seen_ms_ago, checks }: DiagnosisJson): Check[] => {
  const seconds = Math.round(seen_ms_ago / 1000)
  const seen: LocalCheck = {
    check: 'heartbeat',
    state: seen_ms_ago > silentMs ? 'failed' : 'ok',
    detail: `${seconds} s ago`,
  }
  const unsaid: LocalCheck = { check: 'checks', state: 'warning', detail: 'not known: it is of an earlier version' }
  return [...(is_own ? [] : [seen]), ...(checks ?? [unsaid])].map((check) => rate(check, node))
}

const answerWaitMs = 3_000

/** Whether the server that was asked also answers where clients connect. */
const reach = async (data: readonly DiagnosisJson[]): Promise<Check[]> => {
  const own = data.find(({ is_own, kind }) => is_own && kind === 'server')
  const [, url] = /^listens on (\S+)$/.exec(own?.checks?.find(({ check }) => check === 'port')?.detail ?? '') ?? []
  if (own === undefined || url === undefined) return []
  const baseUrl = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  const failure = await ask({ baseUrl, verifiesCertificate: false })
  const detail = failure === null ? `${baseUrl} answers` : `${baseUrl} does not answer: ${failure}`
  return [rate({ check: 'connection', state: failure === null ? 'ok' : 'failed', detail }, own.node)]
}

const ask = async (endpoint: Endpoint): Promise<string | null> => {
  try {
    await readText(await send(endpoint, { method: 'GET', path: '/healthz', timeoutMs: answerWaitMs }))
    return null
  } catch (error) {
    if (error instanceof NoAnswer) return `not within ${answerWaitMs} ms`
    return error instanceof Error ? error.message : String(error)
  }
}

const words = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' }

/** The column of nodes only where there are several. */
const render = (checks: readonly Check[]): string => {
  const hasNodes = new Set(checks.map(({ node }) => node)).size > 1
  const rows = checks.map(({ node, check, state, detail }) => [
    ...[words[state], ...(hasNodes ? [node ?? ''] : []), check, detail],
  ])
  return renderTable(['', ...(hasNodes ? ['NODE'] : []), 'CHECK', 'RESULT'], rows)
}
