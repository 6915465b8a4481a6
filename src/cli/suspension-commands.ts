import type { Control } from '../platform/control/control.ts'
import type { SuspendedThing } from '../store/suspension-contract.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { withControl } from './control-access.ts'

/** How each is called, what stops with it, and where it is found. */
const things: Record<SuspendedThing, { positional: string; name: string; stops: string; note: string }> = {
  account: {
    positional: 'EMAIL',
    name: 'account',
    stops: 'the person and the keys they made, in every organisation',
    note: 'The owner of the server cannot be suspended.',
  },
  organisation: {
    positional: 'ID',
    name: 'organisation',
    stops: 'its keys and its pages, for everybody in it',
    note: "'helix organisations list' shows the ids.",
  },
  key: {
    positional: 'KEY',
    name: 'API key',
    stops: 'its requests',
    note: "KEY is the id of a key, or its name where no other has it; 'helix keys list' shows both.",
  },
}

/** `suspend` and `resume` for one kind of thing. Nothing is lost in between. */
export const createSuspensionCommands = (thing: SuspendedThing): Command[] => {
  const { name, stops, note } = things[thing]
  return [
    command(thing, 'suspend', `Stop an ${name} at once: ${stops}.`, `Nothing is deleted; resume undoes it. ${note}`),
    command(thing, 'resume', `Let a suspended ${name} work again, as before.`, note),
  ]
}

const command = (thing: SuspendedThing, act: keyof typeof acts, summary: string, note: string): Command => {
  const { positional } = things[thing]
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
        throw new UsageError(`'helix ${name}' takes one ${positional}`)
      const done = await withControl(config, (control) => acts[act].run(control, thing, subject))
      const { id, changed } = done
      if (options.json === true) terminal.out(`${JSON.stringify(done)}\n`)
      else terminal.out(`${acts[act].sentence(id, changed)}\n`)
      return 0
    },
  }
}

const acts = {
  suspend: {
    run: (control: Control, thing: SuspendedThing, subject: string) => control.suspend(thing, subject),
    sentence: (id: string, changed: boolean) =>
      changed ? `${id} is suspended: it is refused from now on.` : `${id} was suspended before.`,
  },
  resume: {
    run: (control: Control, thing: SuspendedThing, subject: string) => control.resume(thing, subject),
    sentence: (id: string, changed: boolean) => (changed ? `${id} works again.` : `${id} was not suspended.`),
  },
}
