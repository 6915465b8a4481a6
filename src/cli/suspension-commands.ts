import type { suspensionOperations } from '../control/control-suspensions.ts'
import type { SuspendedThing } from '../store/suspension-contract.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'

type Thing = {
  positional: string
  name: string
  stops: string
  note: string
  acts: { suspend: SuspensionOperation; resume: SuspensionOperation }
}
type SuspensionOperation = Exclude<keyof typeof suspensionOperations, 'listOrganisations'>

/** For each kind: its name, what a suspension blocks, how to find it, and the operations. */
const things: Record<SuspendedThing, Thing> = {
  account: {
    positional: 'EMAIL',
    name: 'account',
    stops: 'the user and the keys they created, in every organisation',
    note: 'The owner of this server cannot be suspended.',
    acts: { suspend: 'suspendAccount', resume: 'resumeAccount' },
  },
  organisation: {
    positional: 'ID',
    name: 'organisation',
    stops: 'its API keys and its console, for all members',
    note: "To see the IDs, run 'helix organisations list'.",
    acts: { suspend: 'suspendOrganisation', resume: 'resumeOrganisation' },
  },
  key: {
    positional: 'KEY',
    name: 'API key',
    stops: 'its requests',
    note: "KEY is the ID of a key, or its name if it is unique. To see both, run 'helix keys list'.",
    acts: { suspend: 'suspendKey', resume: 'resumeKey' },
  },
}

/** Creates `suspend` and `resume` for one kind of thing. A suspension deletes no data. */
export const createSuspensionCommands = (thing: SuspendedThing): Command[] => {
  const { name, stops, note } = things[thing]
  return [
    command(
      thing,
      'suspend',
      `Suspend an ${name} immediately. This blocks ${stops}.`,
      `Nothing is deleted. To undo this, use resume. ${note}`,
    ),
    command(thing, 'resume', `Resume a suspended ${name}.`, note),
  ]
}

const command = (thing: SuspendedThing, act: keyof typeof sentences, summary: string, note: string): Command => {
  const { positional, acts } = things[thing]
  const name = `${thing}s ${act}`
  return {
    name,
    summary,
    positionals: positional,
    options: jsonOption,
    note,
    async run({ config, options, positionals, terminal }) {
      const [subject] = positionals
      if (subject === undefined || positionals.length > 1)
        throw new UsageError(`'helix ${name}' requires one ${positional}`)
      const done = await withControl(config, (control) => control[acts[act]]({ params: { subject } }))
      const { id, changed } = done
      if (options.json === true) terminal.out(`${JSON.stringify(done)}\n`)
      else terminal.out(`${sentences[act](id, changed)}\n`)
      return 0
    },
  }
}

const sentences = {
  suspend: (id: string, changed: boolean) => (changed ? `${id} has been suspended.` : `${id} was already suspended.`),
  resume: (id: string, changed: boolean) => (changed ? `${id} has been resumed.` : `${id} was not suspended.`),
}
