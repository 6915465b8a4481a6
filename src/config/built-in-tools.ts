/**
 * The tools of the Responses API that a provider runs itself, or whose calls have a form of their own, each with the items that they leave in a
 * conversation. An operator allows them for an upstream by these names.
 */
const items = {
  web_search: ['web_search_call'],
  file_search: ['file_search_call'],
  code_interpreter: ['code_interpreter_call'],
  image_generation: ['image_generation_call'],
  computer_use: ['computer_call', 'computer_call_output'],
  mcp: ['mcp_list_tools', 'mcp_call', 'mcp_approval_request', 'mcp_approval_response'],
  local_shell: ['local_shell_call', 'local_shell_call_output'],
  shell: ['shell_call', 'shell_call_output'],
  apply_patch: ['apply_patch_call', 'apply_patch_call_output'],
} as const

export type BuiltInTool = keyof typeof items
export type BuiltInItemType = (typeof items)[BuiltInTool][number]

/** Sound because the rows are written above, and nothing else is added to them. */
const asTools = (keys: string[]): BuiltInTool[] => keys as BuiltInTool[]

export const builtInTools: readonly BuiltInTool[] = asTools(Object.keys(items))

/** What these find is used in the text of an answer. Of others, the items are what was asked for, or what the client has to act on. */
const textTools: ReadonlySet<string> = new Set<BuiltInTool>(['web_search', 'file_search', 'code_interpreter'])

/** Whether an answer is of use without the items of this tool. */
export const isTextTool = (tool: string): boolean => textTools.has(tool)

export const builtInItemTypes: readonly BuiltInItemType[] = builtInTools.flatMap((tool) => [...items[tool]])

const toolOfItem: ReadonlyMap<unknown, BuiltInTool> = new Map(
  builtInTools.flatMap((tool) => items[tool].map((type) => [type, tool])),
)

/** The tool that leaves items of this type; null: none is known. */
export const builtInToolOfItem = (type: unknown): BuiltInTool | null => toolOfItem.get(type) ?? null

/** The name under which a type of tool is allowed: without `preview` and the date of a version, which change. */
export const builtInToolName = (type: string): string => {
  const name = type.replace(/(_preview)?(_\d{4}_\d{2}_\d{2})?$/, '')
  return name === 'computer' ? 'computer_use' : name
}
