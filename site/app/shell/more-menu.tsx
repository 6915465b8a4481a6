import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { useWords } from '../words-context.tsx'
import { AccountItems } from './account-menu.tsx'
import { AdminLinks } from './admin-links.tsx'
import type { NavigationItem } from './navigation.ts'
import { NavigationLink } from './navigation-link.tsx'
import { OrganisationSwitch } from './organisation-switch.tsx'

/** On a phone: the pages that have no room in the bar, and the current organisation. */
export const MoreMenu = ({ items, hasAdmin }: { items: readonly NavigationItem[]; hasAdmin: boolean }) => {
  const { shell } = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Ellipsis size={18} strokeWidth={1.5} aria-hidden />
        <span className="word">{shell.more}</span>
      </button>
      <Dialog isOpen={isOpen} title={shell.more} onClose={() => setOpen(false)}>
        <OrganisationSwitch />
        <ul className="more-pages">
          {items.map((item) => (
            <li key={item.to}>
              <NavigationLink item={item} isRail={false} onFollow={() => setOpen(false)} />
            </li>
          ))}
        </ul>
        {hasAdmin ? (
          <nav className="admin-group" aria-label={shell.administration}>
            <p aria-hidden>{shell.administration}</p>
            <AdminLinks isRail={false} onFollow={() => setOpen(false)} />
          </nav>
        ) : null}
        <AccountItems />
      </Dialog>
    </>
  )
}
