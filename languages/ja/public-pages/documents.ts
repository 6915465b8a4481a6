import type { PublicWords } from '../../words.ts'

export const documents: PublicWords['documents'] = {
  '/docs/guides/console': {
    title: 'コンソール',
    description: 'プレイグラウンド、リクエストログ、通知での入力内容の扱いと保存期間について説明します。',
  },
  '/docs/guides/clients': {
    title: '対応クライアント',
    description: 'Helixで動作するクライアントとエージェント、およびその設定方法です。',
  },
  '/docs/guides/keys': {
    title: 'APIキー',
    description: 'APIキーの権限、ローテーション、上限、使用量について説明します。',
  },
  '/docs/guides/billing': {
    title: '使用量と課金',
    description: '何をいつ数えるか、障害時に何が課金されるか、どのテキストが保存されるかを説明します。',
  },
  '/docs/guides/teams': {
    title: '組織と役割',
    description: '組織の役割ごとの権限と、メンバーの招待や削除について説明します。',
  },
  '/docs/guides/sign-in': {
    title: 'サインイン方法',
    description: 'パスワード、2段階認証、パスキー、外部プロバイダーによるサインインについて説明します。',
  },
  '/docs/guides/webhooks': {
    title: 'Webhookとメール通知',
    description: '利用枠、キー、障害などのイベントの通知をWebhookやメールで受け取る方法です。',
  },
  '/docs/guides/messages': {
    title: 'メッセージAPIの詳細',
    description: 'POST /v1/messagesの使い方と、AnthropicのAPIとの違いです。',
  },
  '/docs/guides/embeddings': {
    title: '埋め込みの詳細',
    description: 'POST /v1/embeddingsの項目、上限、仕組みについて説明します。',
  },
  '/docs/guides/rerank': {
    title: 'リランキングの詳細',
    description: 'POST /v1/rerankと/v1/scoreの項目、上限、仕組みについて説明します。',
  },
  '/docs/guides/retries': {
    title: '再試行の詳細',
    description: '冪等な再試行、ストリームの再開、課金、保存について説明します。',
  },
  '/docs/operate': {
    title: 'Helixの運用',
    description: 'アカウント、ノード、バックアップ、保存期間、ヘルスチェック、GPUなどの運用について説明します。',
  },
  '/docs/operate/install': {
    title: 'インストール',
    description: 'アーカイブ、パッケージ、systemd、コンテナーイメージ、Helmによる導入方法です。',
  },
  '/docs/operate/config': {
    title: '設定一覧',
    description: 'すべての設定項目と、そのフラグ、環境変数、既定値です。',
  },
  '/docs/operate/models': {
    title: 'モデルの提供',
    description: '提供するモデルの指定、読み込み、必要なメモリについて説明します。',
  },
  '/docs/operate/upstreams': {
    title: '上流サーバー',
    description:
      'Helixの背後で使うサーバーやプロバイダーの設定、振り分け、ヘルスチェック、フェイルオーバーについて説明します。',
  },
  '/docs/operate/limits': {
    title: '上限の詳細',
    description: '上限、費用、予約、待ち行列の仕組みについて説明します。',
  },
  '/docs/operate/hooks': {
    title: 'フック',
    description: 'リクエストや回答を途中で検査、変更、拒否する方法です。',
  },
  '/docs/operate/cache': {
    title: '回答キャッシュ',
    description: '同じリクエストに、生成し直さずに回答する方法です。',
  },
  '/docs/operate/reverse-proxies': {
    title: 'HTTPSとリバースプロキシ',
    description: '証明書、HAProxy、nginxの設定と、リクエストを失敗させない再起動の方法です。',
  },
  '/docs/operate/postgresql': {
    title: 'PostgreSQL（データベース）',
    description: '設定、TLS、障害時の動作、SQLiteからの移行について説明します。',
  },
  '/docs/operate/redis': {
    title: 'Redis（共有する上限）',
    description: '複数のノードで上限を共有するための設定です。',
  },
  '/docs/operate/backup': {
    title: 'バックアップと復元',
    description: 'バックアップの取得、確認、復元の方法です。',
  },
  '/docs/operate/upgrade': {
    title: 'アップグレード',
    description: 'アップグレードと、以前のバージョンに戻す方法です。',
  },
  '/docs/operate/secrets': {
    title: 'シークレット',
    description: 'ファイルからのシークレットの読み込みと、暗号鍵の交換方法です。',
  },
  '/docs/operate/security': {
    title: 'セキュリティ',
    description: 'ほかの人がサーバーを使い始める前に確認することです。',
  },
  '/docs/operate/sizing': {
    title: '必要な性能',
    description: '利用者の数に応じたコア数、メモリ、ディスクの目安です。',
  },
  '/docs/operate/logs': {
    title: 'ログ',
    description: 'ログの出力先、レベル、ローテーションについて説明します。',
  },
  '/docs/operate/metrics': {
    title: 'メトリクス',
    description: 'Prometheusで取得できる値とその意味です。',
  },
  '/docs/operate/alerts': {
    title: 'アラート',
    description: 'PrometheusのアラートとGrafanaのダッシュボードです。',
  },
  '/docs/operate/traces': {
    title: 'トレース',
    description: 'リクエストの時間の内訳をOpenTelemetryで調べる方法です。',
  },
  '/docs/operate/diagnostics': {
    title: '診断',
    description: 'helix doctor、準備状態の確認、サポートバンドルについて説明します。',
  },
  '/docs/operate/incidents': {
    title: '障害対応',
    description: '10種類の障害について、症状と原因、対処方法を説明します。',
  },
  '/docs/operate/platforms': {
    title: 'macOSとWindows（環境の違い）',
    description: 'LinuxとmacOS、Windowsの違いです。',
  },
}
