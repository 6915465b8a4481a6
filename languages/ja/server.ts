import type { ServerWords } from '../words.ts'

export const words: ServerWords = {
  firstKeyName: '最初のキー',
  mail: {
    greeting: 'こんにちは。',
    password_reset: {
      subject: 'Helixのパスワード再設定',
      request: '次のリンクから新しいパスワードを設定してください。リンクは1回だけ、1時間以内に限り使えます。',
      button: '新しいパスワードを設定する',
      otherwise: 'お心当たりのない場合は、このメールを無視してください。パスワードは変更されません。',
    },
    email_verification: {
      subject: 'Helixのメールアドレスの確認',
      request:
        '次のリンクを開いて、このメールアドレスがご本人のものであることを確認してください。リンクは1回だけ、24時間以内に限り使えます。',
      button: 'メールアドレスを確認する',
      otherwise: 'Helixに登録したお心当たりがない場合は、このメールを無視してください。',
    },
    email_change: {
      subject: 'Helixの新しいメールアドレスの確認',
      request:
        'このメールアドレスをHelixのアカウントで使うための変更が申し込まれました。ご本人の場合は、次のリンクを開いてください。リンクは1回だけ、24時間以内に限り使えます。それまでは以前のアドレスのままです。',
      button: 'このメールアドレスを使う',
      otherwise: 'お心当たりのない場合は、このメールを無視してください。何も変更されません。',
    },
    email_changed: {
      subject: 'Helixのメールアドレスが変更されました',
      request: (email) =>
        `お使いのHelixアカウントのメールアドレスが${email}に変更されました。今後、このアドレスではサインインできません。`,
      otherwise: 'お心当たりのない場合は、すぐにサーバーの所有者へご連絡ください。',
    },
    invitation: {
      subject: 'Helixの組織への招待',
      request: (organisation, inviter) =>
        `${inviter === null ? '' : `${inviter}さんから、`}Helixの組織「${organisation}」への招待が届いています。リンクは1回だけ、7日以内に限り使えます。`,
      button: '招待を確認する',
      otherwise: 'お心当たりのない場合は、このメールを無視してください。何も起こりません。',
    },
  },
  site: {
    building: {
      title: 'サイトを準備しています。',
      text: '更新後に一度だけ、数秒かかります。APIはすでに使えます。このページは自動で再読み込みされます。',
    },
    absent: {
      title: 'サイトはまだビルドされていません。',
      text: 'APIは使えます。サイトを表示するには、Helixをインストールした場所で <code>npm ci</code> と <code>npm start</code> を実行してください。',
    },
  },
}
