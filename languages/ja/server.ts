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
    test: {
      subject: 'Helixからのテストメール',
      request: 'これはテストです。このメールが届いていれば、Helixからメールを送信できます。',
      otherwise: 'サーバーの所有者が、「サーバー」ページから送信しました。何もする必要はありません。',
    },
    new_place: {
      subject: 'Helixアカウントへの新しいサインイン',
      request: (network) =>
        `これまで使われたことのないネットワーク（${network}）から、お使いのHelixアカウントにサインインがありました。ご本人の場合は、何もする必要はありません。`,
      button: 'セッションを確認する',
      otherwise: 'お心当たりのない場合は、そのセッションを終了し、パスワードを変更してください。',
    },
    event: {
      button: 'Helixを開く',
      ofOrganisation: (organisation) =>
        `このメールは、組織「${organisation}」の所有者または管理者の方にお送りしています。設定は「Webhook」で変更できます。`,
      ofServer:
        'このメールは、サーバーの所有者の方にお送りしています。設定は「管理」の「サーバーのWebhook」で変更できます。',
    },
    events: {
      'budget.reached': {
        subject: 'Helixの利用枠の使用状況',
        text: (key, percent) =>
          `${key === '' ? '利用枠' : `キー「${key}」の利用枠`}の${percent}%を使用しました。${percent === '100' ? 'リセットされるか上限が引き上げられるまで、以降のリクエストは拒否されます。' : ''}`,
      },
      'key.expiring': {
        subject: 'HelixのAPIキーの有効期限が近づいています',
        text: (key, time) =>
          `APIキー「${key}」の有効期限は${time}です。以降、このキーによるリクエストは失敗します。期限を延長するか、新しいキーを作成してください。`,
      },
      'sign_in.new_place': {
        subject: 'メンバーが新しい場所からHelixにサインインしました',
        text: (email) =>
          `${email}が、これまで使われたことのないネットワークからサインインしました。ご本人にもお知らせしています。`,
      },
      'engine.down': {
        subject: 'Helixのモデルが動作していません',
        text: (model, node) => `${node}でモデル${model}が動作していません。原因は「helix models list」で確認できます。`,
      },
      'engine.recovered': {
        subject: 'Helixのモデルが復旧しました',
        text: (model, node) => `${node}でモデル${model}が15分間正常に動作しています。`,
      },
      'upstream.recovered': {
        subject: 'Helixの上流が復旧しました',
        text: (upstream) => `上流${upstream}が15分間正常に動作しています。`,
      },
      'upstream.down': {
        subject: 'Helixの上流が停止しています',
        text: (upstream, reason) =>
          `上流${upstream}への送信を停止しているか、確認に失敗しています${reason === '' ? '' : `（${reason}）`}。`,
      },
      'node.lost': {
        subject: 'Helixのノードからの通信が途絶えました',
        text: (node) =>
          `ノード${node}からの通信が途絶えました。処理中だったリクエストはほかのノードが精算し、サービスは継続しています。`,
      },
      'certificate.expiring': {
        subject: 'Helixの証明書の有効期限が近づいています',
        text: (node, time) => `${node}のTLS証明書の有効期限は${time}です。それまでに更新してください。`,
      },
      'disk.low': {
        subject: 'Helixのディスクの空き容量が不足しています',
        text: (node, free) => `${node}のデータディレクトリがあるディスクの空き容量は、残り${free}です。`,
      },
      'backup.overdue': {
        subject: 'Helixのバックアップが古くなっています',
        text: (_name, time) => `最後のバックアップは${time}に作成されました。`,
      },
      'clock.skewed': {
        subject: 'Helixのノードの時計がずれています',
        text: (node, skew) => `${node}の時計は、データベースの時計と${skew}ずれています。時刻同期を確認してください。`,
      },
      test: {
        subject: 'Helixからのテストメール',
        text: () => 'これはテストです。イベントのメールは正しく届いています。',
      },
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
      text: '更新後に一度だけ、数秒かかります。APIはすでに使えます。準備ができしだい、このページは自動で開きます。',
      noScript: 'JavaScriptが無効な場合は、しばらくしてから再読み込みしてください。',
      files: (count: number) => `これまでに${count}個のファイル`,
    },
    absent: {
      title: 'サイトはまだビルドされていません。',
      text: 'APIは使えます。サイトを表示するには、Helixをインストールした場所で<code>npm ci</code>と<code>npm start</code>を実行してください。',
    },
    failed: {
      title: 'サイトをビルドできませんでした。',
      text: 'APIは使えます。Helixをインストールした場所で次のエラーを修正し、もう一度起動してください。<code>npm run build</code>でも同じエラーを確認できます。',
    },
  },
}
