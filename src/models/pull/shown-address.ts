/** An address for people and the audit log: its query may contain a signature or token that opens the file. */
export const shownAddress = (address: string): string => address.replace(/\?.*$/s, '?…')
