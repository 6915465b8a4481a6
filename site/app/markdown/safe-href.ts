const protocols = ['http:', 'https:', 'mailto:']

/**
 * An address as a link may carry it, or null. Relative addresses would lead into the console, and a name before the host
 * (`https://example.com@elsewhere`) hides where a link leads.
 */
export const safeHref = (address: string): string | null => {
  if (!URL.canParse(address)) return null
  const { protocol, username, password, href } = new URL(address)
  return protocols.includes(protocol) && username === '' && password === '' ? href : null
}
