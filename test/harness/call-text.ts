/** A call as a model writes it. */
export const callText = (name: string, args: unknown): string =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(args)}}\n</tool_call>`
