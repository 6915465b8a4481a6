import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { chooseTheme, type Theme, themes } from '../../preferences/theme.ts'
import { usePlatform } from '../app-state.ts'
import { keysQuery } from '../pages/keys/keys-query.ts'
import { useMay } from '../role.ts'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { adminNavigation } from './admin-navigation.ts'
import { navigation } from './navigation.ts'
import { useSignOut } from './sign-out.tsx'

type Command = {
  id: string
  text: string
  note: string
  /** Other words that it is found by. */
  terms?: string
  run(): void
}

const maxShown = 12

/** Once the field is there: the first time it is loaded after the dialog has opened. */
const focus = (input: HTMLInputElement | null): void => input?.focus()

/** Pages, actions and keys by name. Arrow keys choose, Enter goes there; the field keeps the focus. */
export const CommandPalette = ({ onClose }: { onClose(): void }) => {
  const { shell } = useWords()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const commands = useCommands(onClose)
  const wanted = typed.trim().toLocaleLowerCase()
  const shown = commands
    .filter(({ text, note, terms = '' }) => `${text} ${note} ${terms}`.toLocaleLowerCase().includes(wanted))
    .slice(0, maxShown)
  const current = shown[Math.min(chosen, shown.length - 1)]
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setChosen((last) => (Math.min(last, shown.length - 1) + step + shown.length) % Math.max(1, shown.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      current?.run()
    }
  }
  return (
    <div className="palette stack">
      <input
        className="input"
        // Not a search field, in which Escape deletes the text instead of closing the dialog.
        type="text"
        role="combobox"
        aria-label={shell.paletteSearch}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
        placeholder={shell.paletteSearch}
        autoComplete="off"
        spellCheck={false}
        ref={focus}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(0)
        }}
        onKeyDown={press}
      />
      <div id={id} role="listbox" aria-label={shell.palette} tabIndex={-1}>
        {shown.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            onClick={command.run}
          >
            {command.text} <span className="muted small">{command.note}</span>
          </div>
        ))}
      </div>
      {shown.length === 0 ? (
        <p className="muted" role="status">
          {shell.paletteNone}
        </p>
      ) : null}
    </div>
  )
}

const useCommands = (onClose: () => void): Command[] => {
  const { shell, keys, prompts, compare, team } = useWords()
  const { account } = useSession()
  const may = useMay()
  const navigate = useNavigate()
  const platform = usePlatform()
  const signOut = useSignOut()
  const { data } = useQuery(keysQuery(platform))
  const themeNames: Record<Theme, string> = {
    ...{ system: shell.themeSystem, light: shell.themeLight, dark: shell.themeDark },
  }
  const go =
    (to: string, search: Record<string, string> = {}) =>
    (): void => {
      onClose()
      void navigate({ to, search })
    }
  const pages = navigation
    .filter(({ needs }) => !needs || may(needs))
    .map(({ to, word }) => ({
      id: to,
      text: shell[word],
      note: shell.palettePage,
      run: to === '/docs' ? () => location.assign(to) : go(to),
    }))
  const ofServer = account.isOwner
    ? adminNavigation.map(({ to, word }) => ({
        id: to,
        text: shell.adminPages[word],
        note: shell.administration,
        run: go(to),
      }))
    : []
  const actions = [
    ...(may('makeKeys') ? [{ id: 'create-key', text: keys.create, run: go('/keys', { dialog: 'create' }) }] : []),
    ...(may('manageMembers') ? [{ id: 'invite', text: team.invite, run: go('/team', { dialog: 'invite' }) }] : []),
    ...(may('usePlayground')
      ? [
          { id: 'prompts', text: prompts.title, run: go('/playground', { dialog: 'prompts' }) },
          { id: 'compare', text: compare.title, run: go('/playground/compare') },
        ]
      : []),
    ...themes.map((theme) => ({
      id: `theme-${theme}`,
      text: `${shell.theme}: ${themeNames[theme]}`,
      terms: shell.paletteThemeTerms,
      run() {
        chooseTheme(theme)
        onClose()
      },
    })),
    { id: 'language', text: shell.language, run: go('/settings') },
    {
      id: 'sign-out',
      text: shell.signOut,
      terms: shell.paletteSignOutTerms,
      // If that fails, the settings say why.
      run: () => void signOut.mutateAsync(undefined).catch(go('/settings')),
    },
  ].map((action): Command => ({ ...action, note: shell.paletteAction }))
  const ofKeys = (data?.data ?? []).map(({ id, name, lastFour }) => ({
    id,
    text: name,
    note: `${shell.key} …${lastFour}`,
    run: go(`/keys/${id}`),
  }))
  return [...pages, ...ofServer, ...actions, ...ofKeys]
}
