import type { Judgement } from './judge.ts'
import type { GatewayResult, Machine, Results, RunResult } from './results.ts'

/** The page `docs/fault-report.md`: everything in it that could change is from the results. */
export const writePage = ({ gateways, runs }: Results): string => {
  const paragraphs = [
    '# Fault report',
    `<!-- Written by \`npm run chaos -- report\` from fault-report.json. Do not edit it. -->`,
    `What happens to answers, bills and limits when something fails: a client leaves, an upstream breaks off, the gateway itself is killed. The same faults are put to ${listOf(gateways.map(({ name }) => name))}, and what was billed is compared with what clients received.`,
    `Helix is measured by its own authors here. The harness is in [\`chaos/report\`](../chaos/report), so that you can [repeat it](#repeat-it), or point it at [another gateway](#another-gateway).`,
    '## Results',
    summary(gateways),
    `Zero is right in every column. Counts are tokens, except for rates and wrong answers.`,
    columnList(),
    `What Helix loses when it is killed is what it had sent since it last wrote its counts to disk, at most a second of each stream ([ledger](ledger.md)). new-api does not document Idempotency-Key, so that it answers each of the three requests; they are measured because clients send it.`,
    ...gateways.flatMap(gatewaySection),
    '## How it is measured',
    `A scripted upstream answers each question with a known sequence of tokens, one in each event, and writes down what it sent. Clients write down what arrived. Each client has an API key of its own with a budget that it cannot use up, so that what is too little for one key cannot be made up by too much for another; scenarios with a limit share one key. When the accounts no longer change, the harness asks the gateway what it billed. It knows nothing else of the gateway. Before each scenario it waits until a plain question is answered.`,
    `Where an answer broke off before the upstream reported its length, a gateway may have to estimate it from the text. The text was chosen so that the estimate of new-api is right to within a token or two, so that an estimate is not taken for a loss.`,
    '### Scenarios',
    table(['scenario', 'what happens'], scenarioRows(gateways)),
    ...(runs.length === 0 ? [] : ['## Helix under load', ...runSection(runs)]),
    '## Neighbours',
    `What one caller of Helix can do to another by sending expensive requests is measured by \`npm run bench -- neighbours\`: see [Noisy neighbours](performance.md#noisy-neighbours).`,
    '## Repeat it',
    '```sh\nnpm run chaos -- report --quick      # Helix only, short, writes nothing here\nnpm run chaos -- report              # everything about Helix, and this page\nchaos/peers/new-api/install.sh /tmp/new-api\nnpm run chaos -- report --gateway new-api --program /tmp/new-api/new-api\n```',
    `Everything runs on the loopback interface and ends by itself. new-api listens on every address of a machine, so that it runs in a network namespace without any other interface (\`unshare\`, Linux). The figures are in [fault-report.json](fault-report.json); \`npm run chaos -- report --page\` writes this page from them again. Numbers vary from run to run: a little where something is killed, and much where requests that arrive at once race for what is left of a limit.`,
    '## Another gateway',
    `Write an adapter of about a hundred lines ([\`chaos/report/gateway.ts\`](../chaos/report/gateway.ts)): how to start and kill it, create a key with a budget or a rate, and read what was billed to a key. Add it to \`chaos/report/gateways.ts\`. Scenarios and judgement stay as they are.`,
    `Bifrost and LiteLLM's proxy were considered and not measured: the checksum of Bifrost's module (transports v1.6.0) could not be verified with the checksum database of Go, and the database of LiteLLM's proxy needs engines of Prisma, which are a separate download.`,
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** The columns that should be zero. */
const findings = {
  lostTokens: ['lost', 'Received by clients, but not billed.'],
  twiceTokens: ['billed twice', 'Billed again for a request with the same Idempotency-Key.'],
  excessTokens: ['billed, not received', 'Billed, but neither received nor, if the client left, sent by the upstream.'],
  heldTokens: ['held', 'Taken from the budget of the key when everything is over, without a record of a request.'],
  over: ['over the limit', 'What clients received above the limit of their key, in tokens or in requests.'],
  wrongAnswers: [
    'wrong answers',
    'Calls that hung, that contained something else than the answer, or that ended like a complete answer without being one. An error is not a wrong answer: the client knows.',
  ],
} satisfies Partial<Record<keyof Judgement, [string, string]>>
type Finding = keyof typeof findings
const findingNames = Object.keys(findings).filter((name): name is Finding => name in findings)

const columnList = (): string =>
  findingNames.map((name) => `- **${capital(findings[name][0])}**: ${findings[name][1]}`).join('\n')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const summary = (gateways: readonly GatewayResult[]): string =>
  table(
    ['', ...gateways.map(({ name, version }) => `${name} ${version}`)],
    scenarioRows(gateways).map(([name = '']) => [name, ...gateways.map((gateway) => verdictOf(gateway, name))]),
  )

const verdictOf = (gateway: GatewayResult, scenario: string): string => {
  const judgement = gateway.rows.find(({ name }) => name === scenario)?.judgement
  if (judgement === undefined) return 'not measured'
  const wrong = findingNames.flatMap((name) => {
    const value = judgement[name] ?? 0
    return value === 0 ? [] : [`${findings[name][0]}: ${count(value)}`]
  })
  return wrong.length === 0 ? '0' : wrong.join(', ')
}

const gatewaySection = ({ name, version, notes, date, clients, rounds, machine, rows }: GatewayResult): string[] => [
  `### ${name} ${version}`,
  `Measured on ${date} with ${clients} clients, and ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of the scenario that is repeated; ${machineText(machine)}.`,
  notes.map((note) => `- ${note}`).join('\n'),
  table(
    [
      'scenario',
      'calls',
      'complete',
      'errors',
      'sent',
      'received',
      'billed',
      ...findingNames.map((key) => findings[key][0]),
    ],
    rows.map(({ name, judgement }) => [
      name,
      ...[judgement.calls, judgement.complete, judgement.errors].map(count),
      ...[judgement.sentTokens, judgement.receivedTokens, judgement.billedTokens].map(count),
      ...findingNames.map((key) => highlighted(judgement[key])),
    ]),
  ),
]

const highlighted = (value: number | null): string => (value === null ? '–' : value === 0 ? '0' : `**${count(value)}**`)

const runNames = {
  ledger: 'The server is killed again and again while ten clients call it, and restarted.',
  upstreams: 'Three upstreams are killed and paused, and three in ten of their answers are broken.',
  cluster:
    'Three nodes, PostgreSQL, Redis and three upstreams are killed, paused, cut off and stalled one after the other. One key has a rate and another a budget.',
} satisfies Record<RunResult['kind'], string>

const runSection = (runs: readonly RunResult[]): string[] => [
  `Longer runs with random faults, in which every request is checked against the ledger. [chaos/README.md](../chaos/README.md) has the rules. A run proves nothing about what it did not cover: faults that occurred once, and a budget that was not used up, were hardly tested. Budgets that are used up are tested by the scenarios above, on one node.`,
  table(
    ['run', 'what happens', 'what it covered', 'violations'],
    runs.map(({ kind, date, seed, seconds, machine, coverage, violations }) => [
      `\`npm run chaos -- ${kind}\``,
      runNames[kind],
      `${listOf(Object.entries(coverage).map(([name, value]) => `${count(value)} ${name}`))}; ${date}, ${seconds} s, seed ${seed}, ${machineText(machine)}`,
      violations.length === 0 ? '0' : violations.map(({ rule, detail }) => `**${rule}**: ${detail}`).join('<br>'),
    ]),
  ),
]

const scenarioRows = (gateways: readonly GatewayResult[]): string[][] =>
  [...new Map(gateways.flatMap(({ rows }) => rows.map(({ name, what }) => [name, what] as const)))].map(
    ([name, what]) => [name, what],
  )

const machineText = ({ cores, load }: Machine): string => `${cores} cores, load average ${load}`

const count = (value: number): string => value.toLocaleString('en-GB')

const listOf = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** Nothing that a run says can end a cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
