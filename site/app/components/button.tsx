import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: 'outline' | 'primary' | 'plain' | 'danger'
  big?: boolean
  /** As wide as its container. */
  wide?: boolean
  /** A request is pending: the button keeps its place and does nothing. */
  busy?: boolean
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** A button says what happens. At most one `primary` on a page. */
export const Button = ({ look = 'outline', big, wide, busy, className = '', onClick, ...rest }: ButtonProps) => {
  const classes = ['button', look === 'outline' ? '' : look, big ? 'big' : '', wide ? 'wide' : '', className]
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  )
}
