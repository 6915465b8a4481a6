// A collector of OpenTelemetry: its OTLP receiver, which writes what it has accepted to standard output, one line of OTLP/JSON
// for each request. The first line is its address.
package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.uber.org/zap"
)

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

func run(ctx context.Context) error {
	address, err := freeAddress()
	if err != nil {
		return err
	}
	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig()
	settings := confmap.NewFromStringMap(map[string]any{
		"protocols": map[string]any{"http": map[string]any{"endpoint": address}},
	})
	if err := settings.Unmarshal(config); err != nil {
		return err
	}
	marshaler := &ptrace.JSONMarshaler{}
	print, err := consumer.NewTraces(func(_ context.Context, traces ptrace.Traces) error {
		line, err := marshaler.MarshalTraces(traces)
		if err == nil {
			_, err = os.Stdout.Write(append(bytes.TrimSpace(line), '\n'))
		}
		return err
	})
	if err != nil {
		return err
	}
	telemetry := componenttest.NewNopTelemetrySettings()
	telemetry.Logger = zap.Must(zap.NewProduction(zap.IncreaseLevel(zap.WarnLevel)))
	otlp, err := factory.CreateTraces(ctx, receiver.Settings{
		ID:                component.NewID(factory.Type()),
		TelemetrySettings: telemetry,
	}, config, print)
	if err != nil {
		return err
	}
	if err := otlp.Start(ctx, componenttest.NewNopHost()); err != nil {
		return err
	}
	fmt.Println(address)
	<-ctx.Done()
	return otlp.Shutdown(context.Background())
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
