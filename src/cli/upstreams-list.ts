import type { UpstreamJson } from '../control/control-upstreams.ts'
import { type Command, jsonOption } from './command.ts'
import { withControl } from './control-access.ts'
import { renderTable } from './table.ts'

export const upstreamsList: Command = {
  name: 'upstreams list',
  summary: 'List all upstreams: those in the settings and those added.',
  options: jsonOption,
  note: 'The figures are those of all nodes of a cluster. Of a key only the end is shown. Models that an upstream lists itself are known to a running server only.',
  async run({ config, options, terminal }) {
    const { data } = await withControl(config, (control) => control.listUpstreams())
    if (options.json === true) terminal.out(`${JSON.stringify(data)}\n`)
    else {
      terminal.out(renderTable(head, data.map(cells), [5, 6]))
      for (const { name, price_date: date } of data)
        if (date !== null)
          terminal.out(`${name}: models without a price of their own have that of the provider on ${date}\n`)
      for (const { name, models_taken: taken } of data)
        if (taken.length > 0) terminal.err(`${name}: others have the names of its models ${taken.join(', ')}\n`)
      for (const { name, problem } of data) if (problem !== null) terminal.err(`${name}: ${problem}\n`)
    }
    return 0
  },
}

const head = ['NAME', 'URL', 'KIND', 'KEY', 'STATE', 'IN FLIGHT', 'ERRORS', 'MODELS']

const pauseWords: Readonly<Record<string, string>> = {
  failures: 'failures',
  busy: 'busy',
  key_refused: 'key refused',
  quota_exceeded: 'quota used up',
  canary: 'canary failed',
}

const stateText = ({ state, pause_reason: reason, paused_nodes: paused, nodes }: UpstreamJson): string => {
  if (reason === null) return state
  const where = paused < nodes ? ` on ${paused} of ${nodes} nodes` : ''
  return `${state} (${pauseWords[reason] ?? ''})${where}`
}

const cells = (upstream: UpstreamJson): string[] => [
  upstream.name,
  upstream.url,
  upstream.kind,
  upstream.key ?? '-',
  stateText(upstream),
  `${upstream.in_flight}/${upstream.max_in_flight * upstream.nodes}`,
  String(upstream.recent_errors),
  upstream.models.filter((model) => !upstream.models_taken.includes(model)).join(', ') || '-',
]
