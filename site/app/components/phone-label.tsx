/** Labels a cell where the table's head is not shown. */
export const PhoneLabel = ({ children }: { children: string }) => <span className="muted phone-only">{children} </span>
