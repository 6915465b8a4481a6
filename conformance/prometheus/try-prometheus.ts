import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '../../src/config/load-config.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { runCommand } from '../run-command.ts'
import { startServiceWithUpstream } from '../start-service.ts'
import { askPrometheus } from './ask-prometheus.ts'
import { type Query, readQueries } from './read-queries.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))

/** A single server without TLS, backups, Redis, limits, models of its own and listed organisations has no figures of these. */
const withoutFigures = /helix_(?:redis|certificate|last_backup|engine_process|organisation)|limit!=""/

/**
 * Debian's Prometheus (`PROMETHEUS_BIN`, `PROMTOOL_BIN`) checks and tests the alerts, scrapes a server under load with a key,
 * and runs every query of the dashboards. Returns the exit code: 2 if there is no Prometheus.
 */
export const tryPrometheus = async (signal: AbortSignal): Promise<number> => {
  const { PROMETHEUS_BIN: prometheus = 'prometheus', PROMTOOL_BIN: promtool = 'promtool', ...others } = environment()
  const folder = join(deploy, 'prometheus')
  for (const args of [
    ['check', 'rules', 'helix.rules.yml'],
    ['test', 'rules', 'helix.rules.test.yml'],
  ]) {
    const outcome = await runCommand({ program: promtool, args, folder, environment: others, shown: true, signal })
    if (outcome.missing) console.error(`prometheus: not tried: there is no ${promtool} (Debian: prometheus)`)
    if (outcome.missing || outcome.code !== 0) return outcome.missing ? 2 : 1
  }
  const service = await startServiceWithUpstream()
  const scratch = await mkdtemp(join(tmpdir(), 'helix-prometheus-'))
  try {
    const { host } = new URL(service.baseUrl)
    await writeFile(join(scratch, 'prometheus.yml'), settings(host, await service.createKey('metrics')))
    const port = await freePort()
    const args = [
      `--config.file=${join(scratch, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(scratch, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ]
    const running = spawn(prometheus, args, { stdio: ['ignore', 'inherit', 'inherit'], signal })
    const ended = once(running, 'close').catch(() => {})
    try {
      return await checkQueries(askPrometheus(port, signal), () => sendLoad(service))
    } finally {
      running.kill()
      await ended
    }
  } finally {
    await service.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

const checkQueries = async (asked: ReturnType<typeof askPrometheus>, load: () => Promise<void>): Promise<number> => {
  await asked.until('up{job="helix"} == 1')
  await load()
  // Rates need two scrapes after the last request.
  await asked.until('count_over_time(up{job="helix"}[1m]) > 5')
  await load()
  await asked.until('rate(helix_admitted_requests_total[5s]) > 0')
  const faults: string[] = await asked.brokenRules()
  const queries = readQueries(join(deploy, 'grafana'))
  for (const query of queries) {
    const answer = await asked.query(query.expression)
    const fault = answer.status === 'error' ? answer.error : emptyFault(query, answer.data.result.length)
    if (fault !== null) faults.push(`${query.dashboard}, ${query.panel}: ${fault}: ${query.expression}`)
  }
  for (const fault of faults) console.error(`FAIL ${fault}`)
  console.log(`prometheus: ${queries.length} queries of dashboards and all rules were run, ${faults.length} failed`)
  return faults.length === 0 ? 0 : 1
}

const emptyFault = ({ expression }: Query, count: number): string | null =>
  count === 0 && !withoutFigures.test(expression) ? 'no result' : null

const settings = (target: string, key: string): string => `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: ['${join(deploy, 'prometheus/helix.rules.yml')}']
scrape_configs:
  - job_name: helix
    authorization: { credentials: '${key}' }
    static_configs: [{ targets: ['${target}'] }]
`

const requests = 12

/** Answers, streams, refusals and retries. */
const sendLoad = async ({ baseUrl, key }: { baseUrl: string; key: string }): Promise<void> => {
  for (let count = 0; count < requests; count += 1) {
    const model = count % 6 === 5 ? 'unknown' : 'helix-v1'
    const body = {
      model,
      stream: count % 3 === 1,
      messages: [{ role: 'user', content: count % 5 === 4 ? 'break' : 'Hello' }],
    }
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(count % 4 < 2 ? {} : { 'idempotency-key': `answer ${count % 4}` }),
      },
      body: JSON.stringify(body),
    })
    await response.text()
  }
}
