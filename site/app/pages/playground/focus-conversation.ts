/** Before a focused control is removed: keyboard users stay in the conversation. */
export const focusConversation = (control: HTMLElement): void =>
  control.closest<HTMLElement>('section[tabindex]')?.focus({ preventScroll: true })
