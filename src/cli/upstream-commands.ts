import type { Control } from '../control/control.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'

type Act<Answer> = {
  verb: string
  summary: string
  note: string
  act(control: Control, given: { params: { subject: string } }): Promise<Answer>
  sentence(answer: Answer): string
  /** The exit code; 0 if absent. */
  code?(answer: Answer): number
}

const command = <Answer>({ verb, summary, note, act, sentence, code }: Act<Answer>): Command => ({
  name: `upstreams ${verb}`,
  summary,
  positionals: 'NAME',
  options: jsonOption,
  note,
  async run({ config, options, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1)
      throw new UsageError(`'helix upstreams ${verb}' requires one NAME`)
    const answer = await withControl(config, (control) => act(control, { params: { subject: name } }))
    terminal.out(`${options.json === true ? JSON.stringify(answer) : sentence(answer)}\n`)
    return code?.(answer) ?? 0
  },
})

/** What is done to one upstream. */
export const upstreamCommands: readonly Command[] = [
  command({
    verb: 'test',
    summary: 'Read the models of an upstream and generate a few tokens.',
    note: 'One that works is not paused any longer. Otherwise the command says what is wrong and exits with 1.',
    act: (control, given) => control.testUpstream(given),
    sentence: ({ name, problem, model }) => problem ?? `${name} works: ${model} answered.`,
    code: ({ problem }) => (problem === null ? 0 : 1),
  }),
  command({
    verb: 'drain',
    summary: 'Send no new requests to an upstream. Running ones complete.',
    note: "It stays drained, also after a restart, until 'helix upstreams resume'.",
    act: (control, given) => control.drainUpstream(given),
    sentence: ({ name, changed }) => `${name} ${changed ? 'gets' : 'already got'} no new requests.`,
  }),
  command({
    verb: 'resume',
    summary: 'Send requests to a drained or paused upstream again.',
    note: '',
    act: (control, given) => control.resumeUpstream(given),
    sentence: ({ name, changed }) =>
      changed ? `${name} gets requests again.` : `${name} was neither drained nor paused.`,
  }),
  command({
    verb: 'remove',
    summary: 'Remove an upstream that was added. Running requests complete.',
    note: 'Upstreams in the settings are removed there.',
    act: (control, given) => control.removeUpstream(given),
    sentence: ({ name }) => `Removed ${name}.`,
  }),
]
