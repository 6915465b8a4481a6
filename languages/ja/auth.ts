import type { AuthWords } from '../words.ts'
import { errors } from './console/errors.ts'
import { roles } from './console/roles.ts'

export const words: AuthWords = {
  roles,
  errors,
  joinTitle: (organisation) => `「${organisation}」に参加`,
  invited: (by, role) => `${by === null ? '' : `${by}さんから、`}この組織への招待が届いています。役割は${role}です。`,
  signedInAs: (email) => `${email}でサインインしています。`,
  length: (count) => `${count}文字。十分な長さです。`,
  more: (count) => `あと${count}文字必要です。`,
  emailNeeded: 'メールアドレスを入力してください。',
  passwordNeeded: 'パスワードを入力してください。',
  codeNeeded: 'アプリのコード、またはリカバリーコードを入力してください。',
  secondStepExpired: '時間切れか、コードの間違いが続きました。ページを読み込み直して、最初からやり直してください。',
  signInWith: (name) => `${name}で続ける`,
  hidePassword: 'パスワードを隠す',
  showPassword: 'パスワードを表示',
  claimLinkOld:
    '最新のリンクではありません。ターミナルに最後に表示された「Claim this server」の行をコピーしてください。リンクは起動のたびに新しくなります。',
  sending: '送信中…',
  keyNotShown:
    'アカウントは作成されましたが、次の画面を表示できませんでした。次がAPIキーです。再表示できないため、今コピーしてください。',
}
