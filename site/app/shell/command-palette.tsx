import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { chooseTheme, type Theme, themes } from '../../preferences/theme.ts'
import { isComposing } from '../../words/is-composing.ts'
import { languages } from '../../words/languages.ts'
import { usePlatform } from '../app-state.ts'
import { keysQuery } from '../pages/keys/keys-query.ts'
import { useMay } from '../role.ts'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { adminNavigation } from './admin-navigation.ts'
import { findCommands, type NamedCommand } from './find-commands.ts'
import { navigation } from './navigation.ts'
import { PaletteField } from './palette-field.tsx'
import { useSignOut } from './sign-out.tsx'

type Command = NamedCommand & { id: string; run(): void }

type PaletteProps = { typed: string; onType(typed: string): void; onClose(): void; onShortcuts(): void }

const maxShown = 12
const requestIdPattern = /^req_[0-9A-Za-z]+$/

/** Pages, actions, keys and a request by name or id. Arrow keys choose, Enter goes there; the field keeps the focus. */
export const CommandPalette = ({ typed, onType, ...props }: PaletteProps) => {
  const { shell } = useWords()
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const shown = findCommands(useCommands(props, typed.trim()), typed).slice(0, maxShown)
  const current = shown[Math.min(chosen, shown.length - 1)]
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return
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
      <PaletteField
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
        typed={typed}
        onType={(text) => {
          onType(text)
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

const useCommands = (
  { onClose, onShortcuts }: Pick<PaletteProps, 'onClose' | 'onShortcuts'>,
  typed: string,
): Command[] => {
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
      terms: to,
      run: to === '/docs' ? () => location.assign(to) : go(to),
    }))
  const ofServer = account.isOwner
    ? adminNavigation.map(({ to, word }) => ({
        id: to,
        text: shell.adminPages[word],
        note: shell.administration,
        terms: to,
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
      terms: shell.paletteThemeTerms[theme],
      run() {
        chooseTheme(theme)
        onClose()
      },
    })),
    {
      id: 'language',
      text: shell.language,
      terms: languages.map(({ name }) => name).join(' '),
      run: go('/settings'),
    },
    {
      id: 'shortcuts',
      text: shell.shortcuts,
      run() {
        onClose()
        onShortcuts()
      },
    },
    {
      id: 'sign-out',
      text: shell.signOut,
      terms: shell.paletteSignOutTerms,
      // If that fails, the settings say why.
      run: () => void signOut.mutateAsync(undefined).catch(go('/settings')),
    },
  ].map(
    (action: Omit<Command, 'note'>): Command => ({
      ...action,
      note: shell.paletteAction,
      terms: `${action.id} ${action.terms ?? ''}`,
    }),
  )
  const ofKeys = (data?.data ?? []).map(({ id, name, lastFour }) => ({
    id,
    text: name,
    note: `${shell.key} …${lastFour}`,
    terms: id,
    run: go(`/keys/${id}`),
  }))
  // Of a log or an error, pasted here: there are too many requests to list them.
  const ofRequest = requestIdPattern.test(typed)
    ? [{ id: typed, text: typed, note: shell.requests, run: go(`/requests/${typed}`) }]
    : []
  return [...ofRequest, ...pages, ...ofServer, ...actions, ...ofKeys]
}
