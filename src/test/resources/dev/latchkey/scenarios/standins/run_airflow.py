import sys
from airflow.sdk import tasks
from airflow.sdk.exceptions import AirflowFailException
import order_mails_dag
[(function, retries, orders)] = tasks
for day in sys.argv[1:]:
    for order in orders:
        for attempt in range(1, retries + 2):
            try:
                print(day, order, function(order, **({} if day == "none" else {"ds": day})), "on try", attempt)
                break
            except AirflowFailException as why:
                print(day, order, "failed on try", attempt, why)
                break
            except Exception as why:
                last = why
        else:
            print(day, order, "given up after try", attempt, last)
