/** What hooks did with a request, as one short text: `secrets redacted 2, policy blocked 1`. */
export const hookActionNames = ['redacted', 'replaced', 'blocked', 'failed'] as const
export type HookActionName = (typeof hookActionNames)[number]
export type HookAction = { hook: string; action: HookActionName; count: number }

export const writeHookActions = (actions: readonly HookAction[]): string =>
  actions.map(({ hook, action, count }) => `${hook} ${action} ${count}`).join(', ')

/** What is not such a text is left out. */
export const readHookActions = (text: string): HookAction[] =>
  text.split(', ').flatMap((part) => {
    const [hook = '', word, count] = part.split(' ')
    const action = hookActionNames.find((name) => name === word)
    return action === undefined ? [] : [{ hook, action, count: Number(count) }]
  })
