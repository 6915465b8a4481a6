/**
 * `node chaos/report/measure.ts GATEWAY FOLDER [--quick] [--program FILE] [--only NAME]`: runs the scenarios against one gateway,
 * and writes what was found to FOLDER/result.json. A program of its own, so that it can run in a network of its own.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createStopSignal } from '../../src/cli/stop-signal.ts'
import { gateways } from './gateways.ts'
import { judge } from './judge.ts'
import type { GatewayResult } from './results.ts'
import { scenarios } from './scenarios.ts'
import { startScriptedUpstream } from './scripted-upstream.ts'
import { createStage } from './stage.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    program: { type: 'string' },
    only: { type: 'string' },
  },
})
const [name = '', folder = ''] = positionals
const kind = gateways[name]
if (kind === undefined || folder === '')
  throw new Error(`There are these gateways: ${Object.keys(gateways).join(', ')}.`)

// The gateway ends with this process.
void createStopSignal().received.then(() => process.exit(130))
const chosen = scenarios.filter(
  (scenario) => (scenario.isQuick || !values.quick) && (values.only === undefined || scenario.name === values.only),
)
const upstream = await startScriptedUpstream()
const data = join(folder, 'gateway')
mkdirSync(data, { recursive: true })
const gateway = await kind.start({ folder: data, upstreams: upstream.baseUrls, program: values.program ?? null })
const result: GatewayResult = {
  ...{ name: kind.name, version: kind.version, notes: [...kind.notes], date: new Date().toISOString().slice(0, 10) },
  ...(values.quick ? { clients: 4, rounds: 1 } : { clients: 8, rounds: 5 }),
  machine: { cores: availableParallelism(), load: Math.round(loadavg()[0] ?? 0) },
  rows: [],
}
try {
  const stage = createStage(gateway, upstream, result)
  for (const { name, what, run } of chosen) {
    await stage.recover()
    const startedMs = performance.now()
    const judgement = judge(await run(stage))
    result.rows.push({ name, what, judgement })
    console.log(`${name}: ${Math.round((performance.now() - startedMs) / 1000)} s ${JSON.stringify(judgement)}`)
  }
  writeFileSync(join(folder, 'result.json'), JSON.stringify(result))
} finally {
  await gateway.close()
  await upstream.close()
}
process.exit(0)
