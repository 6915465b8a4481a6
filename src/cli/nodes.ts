import type { NodeJson } from '../control/control-nodes.ts'
import { type Command, jsonOption } from './command.ts'
import { withControl } from './control-access.ts'
import { renderTable } from './table.ts'

export const nodes: Command = {
  name: 'nodes',
  summary: 'List the nodes that share the database, with their version and load.',
  options: jsonOption,
  note: 'A single server lists itself. Figures are those of the last heartbeat. MEMORY is that of the server process, ENGINES that of its engine processes together.',
  async run({ config, options, terminal }) {
    const { data } = await withControl(config, (control) => control.listNodes())
    terminal.out(options.json === true ? `${JSON.stringify(data)}\n` : renderTable(head, data.map(cells), figures))
    return 0
  },
}

const head = [
  'NAME',
  'KIND',
  'ADDRESS',
  'VERSION',
  'UP SINCE',
  'SEEN',
  'RUNNING',
  'WAITING',
  'BUSY',
  'MEMORY',
  'ENGINES',
  'MODELS',
]
const figures = [5, 6, 7, 8, 9, 10]

const cells = (node: NodeJson): string[] => [
  node.name,
  node.kind,
  node.address || '-',
  node.version,
  `${node.started_at.slice(0, 19)}Z`,
  `${Math.round(node.seen_ms_ago / 1000)} s`,
  figure(node.running),
  figure(node.waiting),
  node.busy === null ? '-' : `${Math.round(node.busy * 100)} %`,
  megabytes(node.memory_bytes),
  megabytes(node.engine_memory_bytes),
  node.models.join(', ') || '-',
]

const megabytes = (bytes: number | null): string => (bytes === null ? '-' : `${Math.round(bytes / 1_000_000)} MB`)
const figure = (value: number | null): string => (value === null ? '-' : String(value))
