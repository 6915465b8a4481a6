import { noticeKinds } from '../../../../src/platform/contract/notice-kinds.ts'
import { useNoticeChoices } from '../../notices/use-notice-choices.ts'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from './settings-part.tsx'

/** A switch for each kind of notice. */
export const NoticesPart = () => {
  const { notices } = useWords()
  const { account } = useSession()
  const [choices, change] = useNoticeChoices()
  return (
    <SettingsPart title={notices.title} text={notices.text}>
      {noticeKinds
        .filter((kind) => kind !== 'configuration' || account.isOwner)
        .map((kind) => (
          <label key={kind} className="switch">
            <input
              type="checkbox"
              disabled={choices === null}
              checked={choices !== null && !choices.off.includes(kind)}
              onChange={({ target }) => change({ what: 'kind', kind, isHidden: !target.checked })}
            />
            {notices.kinds[kind]}
          </label>
        ))}
    </SettingsPart>
  )
}
