import sys, types
import dagster, order_mails_asset
asset = order_mails_asset.order_mails
log = types.SimpleNamespace(info=lambda text: print(day, text))
for day in sys.argv[1:]:
    for attempt in range(1, asset.policy.max_retries + 2):
        try:
            asset(types.SimpleNamespace(partition_key=day, log=log))
            break
        except Exception as why:
            print(day, "failed on try", attempt, why)
            if isinstance(why, dagster.Failure) and why.allow_retries is False:
                break
