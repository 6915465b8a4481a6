/** Before a control goes that has the focus: whoever works by keys stays in the conversation. */
export const focusConversation = (control: HTMLElement): void =>
  control.closest<HTMLElement>('section[tabindex]')?.focus({ preventScroll: true })
