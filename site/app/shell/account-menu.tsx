import { Link } from '@tanstack/react-router'
import { CircleUser, LogOut, Settings2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { SignOutError, useSignOut } from './sign-out.tsx'

/** Who is signed in; opens what belongs to the account. The browser closes it on Escape and on a click beside it. */
export const AccountMenu = () => {
  const { shell } = useWords()
  const { account } = useSession()
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="account-button" popoverTarget={id} title={account.email}>
        <CircleUser size={18} strokeWidth={1.5} aria-hidden />
        <span className="visually-hidden">{shell.account}</span>
        <span className="name ellipsis">{account.email}</span>
      </button>
      <div
        ref={menu}
        id={id}
        className="account-menu"
        popover="auto"
        role="dialog"
        aria-label={shell.account}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen ? <AccountItems onSettings={() => menu.current?.hidePopover()} /> : null}
      </div>
    </>
  )
}

/** Language, theme and sign-out; the settings where they are not listed beside it. */
export const AccountItems = ({ onSettings }: { onSettings?: () => void }) => {
  const { shell } = useWords()
  const { account } = useSession()
  const signOut = useSignOut()
  return (
    <div className="stack">
      <p className="muted small ellipsis">{account.email}</p>
      <AppearanceFields />
      {onSettings === undefined ? null : (
        <Link className="button" to="/settings" onClick={onSettings}>
          <Settings2 size={16} strokeWidth={1.5} aria-hidden />
          {shell.settings}
        </Link>
      )}
      <Button busy={signOut.isPending} onClick={() => signOut.mutate(undefined)}>
        <LogOut size={16} strokeWidth={1.5} aria-hidden />
        {shell.signOut}
      </Button>
      <SignOutError signOut={signOut} />
    </div>
  )
}
