export type NamedCommand = {
  text: string
  note: string
  /** Other words that it is found by. Pages and actions are also found by their addresses and ids: in English in every language. */
  terms?: string
}

/** The commands that contain what is typed, those that have it in their own name first. */
export const findCommands = <Command extends NamedCommand>(commands: readonly Command[], typed: string): Command[] => {
  const wanted = searched(typed.trim())
  const isNamed = ({ text }: Command): boolean => searched(text).includes(wanted)
  const isFound = ({ note, terms = '' }: Command): boolean => searched(`${note} ${terms}`).includes(wanted)
  return [...commands.filter(isNamed), ...commands.filter((command) => !isNamed(command) && isFound(command))]
}

/** Full-width letters, as a Japanese keyboard may write them, are the same letters. */
const searched = (text: string): string => text.normalize('NFKC').toLocaleLowerCase()
